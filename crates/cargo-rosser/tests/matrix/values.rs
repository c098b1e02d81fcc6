//! The types of the values that cases read and write: of every width, with padding and without.

/// A type, and how its values are written.
#[derive(Clone, Debug)]
pub struct Value {
    pub name: &'static str,
    pub ty: &'static str,
    pub initial: String,
    /// Two others.
    pub others: [String; 2],
    next: Next,
}

/// How a value is made from the last one.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// With `+= 1`, or another operator and operand.
    Assign(&'static str, &'static str),
    /// By an expression in which `#` is the last one.
    Of(&'static str),
}

impl Value {
    fn new(name: &'static str, ty: &'static str, values: [&str; 3], next: Next) -> Self {
        let [initial, first, second] = values.map(str::to_owned);
        Self { name, ty, initial, others: [first, second], next }
    }

    fn array(name: &'static str, ty: &'static str, element: &str, length: usize) -> Self {
        let value = |value| format!("[{value}_{element}; {length}]");
        let next = Next::Of("#.map(|part| part + 1)");
        Self { name, ty, initial: value(0), others: [value(1), value(2)], next }
    }

    /// An expression for the value after the one that `last` is an expression for.
    pub fn next(&self, last: &str) -> String {
        match self.next {
            Next::Assign(operator, operand) => format!("{last} {operator} {operand}"),
            Next::Of(expression) => expression.replace('#', last),
        }
    }

    /// A statement that changes a place to its next value.
    pub fn update(&self, place: &str) -> String {
        match self.next {
            Next::Assign(operator, operand) => format!("{place} {operator}= {operand}"),
            Next::Of(_) => format!("{place} = {}", self.next(&format!("({place})"))),
        }
    }
}

/// What most cases have.
pub fn usual() -> Value {
    Value::new("u32", "u32", ["0_u32", "1", "2"], Next::Assign("+", "1"))
}

pub fn all() -> Vec<Value> {
    let one = Next::Assign("+", "1");
    let float = Next::Assign("+", "1.0");
    vec![
        Value::new("u8", "u8", ["0_u8", "1", "2"], one),
        Value::new("u16", "u16", ["0_u16", "1", "2"], one),
        usual(),
        Value::new("u64", "u64", ["0_u64", "1", "2"], one),
        Value::new("u128", "u128", ["0_u128", "1", "1 << 100"], one),
        Value::new("f32", "f32", ["0.0_f32", "1.0", "2.0"], float),
        Value::new("f64", "f64", ["0.0_f64", "1.0", "2.0"], float),
        Value::new("bool", "bool", ["false", "true", "false"], Next::Assign("^", "true")),
        Value::new(
            "char",
            "char",
            ["'a'", "'b'", "'c'"],
            Next::Of("char::from_u32(# as u32 + 1).unwrap()"),
        ),
        Value::new(
            "pair",
            "(u8, u32)",
            ["(0_u8, 0_u32)", "(1, 1)", "(2, 2)"],
            Next::Of("{ let last = #; (last.0 + 1, last.1 + 1) }"),
        ),
        Value::new(
            "padded",
            "Padded",
            [
                "Padded { first: 0, second: 0, third: 0 }",
                "Padded { first: 1, second: 1, third: 1 }",
                "Padded { first: 2, second: 2, third: 2 }",
            ],
            Next::Of("#.next()"),
        ),
        Value::new(
            "option",
            "Option<u64>",
            ["None::<u64>", "Some(1)", "Some(2)"],
            Next::Of("#.map_or(Some(1), |value: u64| Some(value + 1))"),
        ),
        Value::array("3_bytes", "[u8; 3]", "u8", 3),
        Value::array("5_bytes", "[u8; 5]", "u8", 5),
        Value::array("6_bytes", "[u8; 6]", "u8", 6),
        Value::array("7_bytes", "[u8; 7]", "u8", 7),
        Value::array("12_bytes", "[u8; 12]", "u8", 12),
        Value::array("24_bytes", "[u8; 24]", "u8", 24),
        Value::array("32_bytes", "[u8; 32]", "u8", 32),
        Value::array("48_bytes", "[u8; 48]", "u8", 48),
        Value::array("64_bytes", "[u8; 64]", "u8", 64),
        Value::array("3_u16", "[u16; 3]", "u16", 3),
        Value::array("3_u64", "[u64; 3]", "u64", 3),
    ]
}
