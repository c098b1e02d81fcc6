//! Atomic operations: the runtime carries them out, and knows then what they found and left.
//! Of an update it is told whether anybody uses what it found.

use std::ffi::CString;

use rosser_abi::checks::{Kind, OLD_VALUE_UNUSED, OLD_VALUE_USED};

use super::old_value;
use crate::checked::Checked;
use crate::llvm::{Builder, Module, Opcode, Type, TypeKind, Value};

/// Replaces an atomic operation by a call of the runtime.
pub fn replace(module: &Checked, instruction: Value) {
    let kind = match instruction.opcode() {
        Opcode::Fence => Kind::Fence,
        Opcode::AtomicLoad => Kind::AtomicLoad,
        Opcode::AtomicStore => Kind::AtomicStore,
        Opcode::CompareExchange => Kind::CompareExchange,
        Opcode::Update => Kind::AtomicUpdate,
        _ => return,
    };
    if instruction.is_for_one_thread() || module.goes_without(&[kind], instruction) {
        return;
    }
    let new = match kind {
        Kind::Fence => Some(fence(module, instruction)),
        Kind::AtomicLoad => load(module, instruction),
        Kind::AtomicStore => store(module, instruction),
        Kind::CompareExchange => compare_exchange(module, instruction),
        _ => update(module, instruction),
    };
    if let Some(new) = new {
        if !instruction.is_unused() {
            instruction.replace_with(new);
        }
        instruction.erase();
    }
}

/// The bits of a value of this type as a number, if there are atomic operations of that size.
fn number_like(module: &Module, kind: Type) -> Option<(Type, u64)> {
    let bits = module.bytes_of(kind) * 8;
    matches!(bits, 8 | 16 | 32 | 64 | 128).then(|| (module.integer(bits as u32), bits))
}

fn function(module: &Module, name: String, result: Option<Type>, parameters: &[Type]) -> Value {
    let name = CString::new(name).expect("names have no zeros");
    match result {
        Some(result) => module.external_of(&name, result, parameters),
        None => module.external(&name, parameters),
    }
}

fn fence(module: &Module, instruction: Value) -> Value {
    let builder = Builder::before(module, instruction);
    let fence = module.external(c"__tsan_atomic_thread_fence", &[module.integer(32)]);
    let call = builder.call(fence, &[module.small_number(instruction.order())]);
    call.set_line(instruction.line());
    call
}

fn load(module: &Module, instruction: Value) -> Option<Value> {
    let kind = instruction.type_of();
    let (number, bits) = number_like(module, kind)?;
    let builder = Builder::before(module, instruction);
    let parameters = [module.pointer(), module.integer(32)];
    let load = function(module, format!("__tsan_atomic{bits}_load"), Some(number), &parameters);
    let order = module.small_number(instruction.order());
    let call = builder.call(load, &[instruction.operands()[0], order]);
    call.set_line(instruction.line());
    Some(builder.convert(call, kind))
}

fn store(module: &Module, instruction: Value) -> Option<Value> {
    let operands = instruction.operands();
    let (number, bits) = number_like(module, operands[0].type_of())?;
    let builder = Builder::before(module, instruction);
    let parameters = [module.pointer(), number, module.integer(32)];
    let store = function(module, format!("__tsan_atomic{bits}_store"), None, &parameters);
    let value = builder.convert(operands[0], number);
    let order = module.small_number(instruction.order());
    let call = builder.call(store, &[operands[1], value, order]);
    call.set_line(instruction.line());
    Some(call)
}

/// What the runtime calls an update.
fn update_name(update: i32) -> Option<&'static str> {
    Some(match update {
        0 => "exchange",
        1 => "fetch_add",
        2 => "fetch_sub",
        3 => "fetch_and",
        4 => "fetch_nand",
        5 => "fetch_or",
        6 => "fetch_xor",
        7 => "fetch_max",
        8 => "fetch_min",
        9 => "fetch_umax",
        10 => "fetch_umin",
        _ => return None,
    })
}

fn update(module: &Checked, instruction: Value) -> Option<Value> {
    let operands = instruction.operands();
    let kind = instruction.type_of();
    let named = number_like(module, kind).zip(update_name(instruction.update()));
    let Some(((number, bits), name)) = named else {
        // An update of floating-point numbers, say: the program carries it out, and the runtime is told.
        let size = module.number(module.bytes_of(kind).cast_signed());
        let order = module.small_number(instruction.order());
        let parameters = [module.pointer(), module.i64(), module.integer(32)];
        let told = module.external(c"rosser_atomic_update", &parameters);
        let builder = Builder::before(module, instruction);
        builder.call(told, &[operands[0], size, order]).set_line(instruction.line());
        return None;
    };
    let builder = Builder::before(module, instruction);
    let parameters = [module.pointer(), number, module.integer(32)];
    let update = function(module, format!("__tsan_atomic{bits}_{name}"), Some(number), &parameters);
    let value = builder.convert(operands[1], number);
    let is_used = old_value::is_used(module, instruction);
    let old_value = if is_used { OLD_VALUE_USED } else { OLD_VALUE_UNUSED };
    let order = module.small_number(instruction.order() | old_value);
    let call = builder.call(update, &[operands[0], value, order]);
    call.set_line(instruction.line());
    Some(builder.convert(call, kind))
}

fn compare_exchange(module: &Module, instruction: Value) -> Option<Value> {
    let operands = instruction.operands();
    let kind = operands[1].type_of();
    let (number, bits) = number_like(module, kind)?;
    debug_assert_eq!(instruction.kind(), TypeKind::Struct);
    let builder = Builder::before(module, instruction);
    let order = module.integer(32);
    let parameters = [module.pointer(), number, number, order, order];
    let name = format!("__tsan_atomic{bits}_compare_exchange_val");
    let exchange = function(module, name, Some(number), &parameters);
    let expected = builder.convert(operands[1], number);
    let new = builder.convert(operands[2], number);
    let [success, failure] = instruction.orders().map(|order| module.small_number(order));
    let call = builder.call(exchange, &[operands[0], expected, new, success, failure]);
    call.set_line(instruction.line());
    let found = builder.convert(call, kind);
    Some(builder.found_and_expected(instruction.type_of(), found, operands[1]))
}
