//! What a program says about its result.

/// The check value, or what is wrong.
pub type Outcome = Result<u64, String>;

/// An error unless something holds.
pub fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// An error unless two numbers are as near to each other as they have to be.
pub fn ensure_near(what: &str, is: f64, expected: f64, tolerance: f64) -> Result<(), String> {
    let near = (is - expected).abs() <= tolerance;
    if near { Ok(()) } else { Err(format!("{what} is {is} instead of {expected}")) }
}

/// One number for many (FNV-1a, by words).
pub fn digest(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(0xcbf2_9ce4_8422_2325, |digest, value| {
        (digest ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    })
}

/// One number for many floating-point numbers, to the last bit.
pub fn digest_floats<'a>(values: impl IntoIterator<Item = &'a f64>) -> u64 {
    digest(values.into_iter().map(|value| value.to_bits()))
}
