//! A module of bitcode.

use std::ffi::CStr;
use std::ptr::{NonNull, null_mut};

use super::api::{self, api};
use super::value::{FUNCTION, Type, Value};

/// A module, in a context of its own.
pub struct Module {
    pub(super) context: NonNull<api::Context>,
    pub(super) module: NonNull<api::Module>,
}

impl Module {
    /// Reads bitcode; `None` if it is none that this LLVM understands.
    pub fn read(bitcode: &[u8]) -> Option<Self> {
        // SAFETY: the module does not outlive its context.
        unsafe {
            let context = NonNull::new((api().LLVMContextCreate)())?;
            let module = parse(context, bitcode);
            if module.is_none() {
                (api().LLVMContextDispose)(context.as_ptr());
            }
            Some(Self { context, module: module? })
        }
    }

    /// The same module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the module lives, and the buffer is ours.
        unsafe { take_bytes((api().LLVMWriteBitcodeToMemoryBuffer)(self.module.as_ptr())) }
    }

    /// Runs passes of LLVM, named as `opt` names them, for a machine.
    pub fn run(&self, passes: &CStr, machine: &Machine) -> Result<(), String> {
        // SAFETY: the module and the machine live. A message belongs to who asked for it.
        unsafe {
            let options = (api().LLVMCreatePassBuilderOptions)();
            let error = (api().LLVMRunPasses)(
                self.module.as_ptr(),
                passes.as_ptr(),
                machine.0.as_ptr(),
                options,
            );
            (api().LLVMDisposePassBuilderOptions)(options);
            if error.is_null() {
                return Ok(());
            }
            let message = (api().LLVMGetErrorMessage)(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (api().LLVMDisposeErrorMessage)(message);
            Err(text)
        }
    }

    /// Makes another module, of bitcode, part of this one.
    pub fn link(&self, bitcode: &[u8]) -> Result<(), String> {
        let other = parse(self.context, bitcode).ok_or("a module of ours cannot be read")?;
        // SAFETY: both live, and the other one is given away.
        match unsafe { (api().LLVMLinkModules2)(self.module.as_ptr(), other.as_ptr()) } {
            0 => Ok(()),
            _ => Err("two modules cannot be linked".to_owned()),
        }
    }

    /// Compiles the module to an object file.
    pub fn emit(&self, machine: &Machine) -> Result<Vec<u8>, String> {
        const OBJECT: i32 = 1;
        let (mut message, mut buffer) = (null_mut(), null_mut());
        // SAFETY: the module and the machine live; a message and a buffer are ours.
        unsafe {
            let failed = (api().LLVMTargetMachineEmitToMemoryBuffer)(
                machine.0.as_ptr(),
                self.module.as_ptr(),
                OBJECT,
                &raw mut message,
                &raw mut buffer,
            );
            if failed == 0 { Ok(take_bytes(buffer)) } else { Err(take_message(message)) }
        }
    }

    /// Assembly that is in no function is left out.
    pub fn forget_assembly(&self) {
        // SAFETY: the module lives; no text.
        unsafe { (api().LLVMSetModuleInlineAsm2)(self.module.as_ptr(), UNNAMED, 0) };
    }

    /// Whether there is such assembly.
    pub fn has_assembly(&self) -> bool {
        let mut len = 0;
        // SAFETY: the module lives.
        unsafe { (api().LLVMGetModuleInlineAsm)(self.module.as_ptr(), &raw mut len) };
        len > 0
    }

    /// Adds assembly to the module, outside of any function.
    pub fn add_assembly(&self, text: &str) {
        // SAFETY: the module lives; the text is copied.
        unsafe {
            (api().LLVMAppendModuleInlineAsm)(
                self.module.as_ptr(),
                text.as_ptr().cast(),
                text.len(),
            );
        }
    }

    /// The name of what it was compiled from: that of a crate, a dot, and more.
    pub fn source_name(&self) -> String {
        let mut len = 0;
        // SAFETY: the module lives; the name is as long as is said.
        let bytes = unsafe {
            let name = (api().LLVMGetSourceFileName)(self.module.as_ptr(), &raw mut len);
            std::slice::from_raw_parts(name.cast::<u8>(), len)
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// What is wrong with it, if something is.
    pub fn verify(&self) -> Result<(), String> {
        const RETURN_STATUS: i32 = 2;
        // SAFETY: as above.
        unsafe {
            let mut message = null_mut();
            let broken =
                (api().LLVMVerifyModule)(self.module.as_ptr(), RETURN_STATUS, &raw mut message);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (api().LLVMDisposeMessage)(message);
            if broken == 0 { Ok(()) } else { Err(text) }
        }
    }

    /// All functions, defined here or elsewhere.
    pub fn functions(&self) -> impl Iterator<Item = Value> {
        // SAFETY: the module lives.
        let first = unsafe { (api().LLVMGetFirstFunction)(self.module.as_ptr()) };
        std::iter::successors(Value::new(first), |function| {
            // SAFETY: it is a function.
            Value::new(unsafe { (api().LLVMGetNextFunction)(function.0.as_ptr()) })
        })
    }

    /// The module's global variables, declared or defined.
    pub fn variables(&self) -> impl Iterator<Item = Value> {
        // SAFETY: the module lives.
        let first = unsafe { (api().LLVMGetFirstGlobal)(self.module.as_ptr()) };
        std::iter::successors(Value::new(first), |variable| {
            // SAFETY: it is a variable.
            Value::new(unsafe { (api().LLVMGetNextGlobal)(variable.0.as_ptr()) })
        })
    }

    /// Other names of its functions and variables.
    pub fn aliases(&self) -> impl Iterator<Item = Value> {
        // SAFETY: the module lives.
        let first = unsafe { (api().LLVMGetFirstGlobalAlias)(self.module.as_ptr()) };
        std::iter::successors(Value::new(first), |alias| {
            // SAFETY: it is an alias.
            Value::new(unsafe { (api().LLVMGetNextGlobalAlias)(alias.0.as_ptr()) })
        })
    }

    /// A function that is defined elsewhere, of the type of another one, and called in the same way.
    pub fn declared_like(&self, name: &str, other: Value) -> Value {
        let name = std::ffi::CString::new(name).expect("names of functions have no zero byte");
        // SAFETY: the other one is a function.
        let kind = Type::new(unsafe { (api().LLVMGlobalGetValueType)(other.0.as_ptr()) });
        let function = self.function(&name, kind);
        // SAFETY: both are functions.
        unsafe {
            let convention = (api().LLVMGetFunctionCallConv)(other.0.as_ptr());
            (api().LLVMSetFunctionCallConv)(function.0.as_ptr(), convention);
        }
        function
    }

    /// A function of this type that is defined elsewhere.
    pub fn external_of(&self, name: &CStr, result: Type, parameters: &[Type]) -> Value {
        // SAFETY: the types live.
        let kind = unsafe {
            (api().LLVMFunctionType)(
                result.0.as_ptr(),
                parameters.as_ptr().cast(),
                parameters.len() as u32,
                0,
            )
        };
        self.function(name, Type::new(kind))
    }

    /// A function that returns nothing and is defined elsewhere.
    pub fn external(&self, name: &CStr, parameters: &[Type]) -> Value {
        // SAFETY: the context lives.
        let nothing = Type::new(unsafe { (api().LLVMVoidTypeInContext)(self.context.as_ptr()) });
        self.external_of(name, nothing, parameters)
    }

    fn function(&self, name: &CStr, kind: Type) -> Value {
        // SAFETY: the module lives, and so does the type.
        unsafe {
            let known = (api().LLVMGetNamedFunction)(self.module.as_ptr(), name.as_ptr());
            Value::new(known).unwrap_or_else(|| {
                let kind = kind.0.as_ptr();
                let function = (api().LLVMAddFunction)(self.module.as_ptr(), name.as_ptr(), kind);
                Value::new(function).expect("a function can be added")
            })
        }
    }

    /// Equal calls at several places stay so, and do not become one; and each returns to where it is, whatever
    /// follows.
    pub fn keep_in_place(&self, call: Value) {
        call.never_jump();
        // SAFETY: the context lives, and it is a call.
        unsafe {
            let kind = attribute("nomerge");
            let attribute = (api().LLVMCreateEnumAttribute)(self.context.as_ptr(), kind, 0);
            (api().LLVMAddCallSiteAttribute)(call.0.as_ptr(), FUNCTION, attribute);
        }
    }

    /// The type of numbers of 64 bits.
    pub fn i64(&self) -> Type {
        // SAFETY: the context lives.
        Type::new(unsafe { (api().LLVMInt64TypeInContext)(self.context.as_ptr()) })
    }

    /// The type of bytes.
    pub fn i8(&self) -> Type {
        // SAFETY: the context lives.
        Type::new(unsafe { (api().LLVMInt8TypeInContext)(self.context.as_ptr()) })
    }

    /// The type of integers with this many bits.
    pub fn integer(&self, bits: u32) -> Type {
        // SAFETY: the context lives.
        Type::new(unsafe { (api().LLVMIntTypeInContext)(self.context.as_ptr(), bits) })
    }

    /// The type of pointers.
    pub fn pointer(&self) -> Type {
        // SAFETY: the context lives.
        Type::new(unsafe { (api().LLVMPointerTypeInContext)(self.context.as_ptr(), 0) })
    }

    /// A number of 64 bits.
    pub fn number(&self, value: i64) -> Value {
        // SAFETY: the type lives.
        let number =
            unsafe { (api().LLVMConstInt)(self.i64().0.as_ptr(), value.cast_unsigned(), 1) };
        Value::new(number).expect("there are constants")
    }

    /// A number of 32 bits.
    pub fn small_number(&self, value: i32) -> Value {
        let value = u64::from(value.cast_unsigned());
        // SAFETY: the type lives.
        let number = unsafe { (api().LLVMConstInt)(self.integer(32).0.as_ptr(), value, 0) };
        Value::new(number).expect("there are constants")
    }

    /// How many bytes a load or store of this type accesses.
    pub fn bytes_of(&self, kind: Type) -> u64 {
        // SAFETY: the layout belongs to the module; what is loaded or stored has a size.
        unsafe {
            let layout = (api().LLVMGetModuleDataLayout)(self.module.as_ptr());
            (api().LLVMStoreSizeOfType)(layout, kind.0.as_ptr())
        }
    }

    /// Gives a function an attribute.
    pub fn promise(&self, function: Value, name: &str) {
        self.promise_value(function, name, 0);
    }

    /// A function touches no memory that the program could: whatever it changes is its own.
    pub fn promise_own_memory(&self, function: Value) {
        /// Reads and writes of what LLVM calls inaccessible, and of nothing else.
        const INACCESSIBLE: u64 = 0b11 << 2;
        self.promise_value(function, "memory", INACCESSIBLE);
    }

    fn promise_value(&self, function: Value, name: &str, value: u64) {
        // SAFETY: the context lives, and it is a function.
        unsafe {
            let attribute =
                (api().LLVMCreateEnumAttribute)(self.context.as_ptr(), attribute(name), value);
            (api().LLVMAddAttributeAtIndex)(function.0.as_ptr(), FUNCTION, attribute);
        }
    }

    /// Bytes between two elements of an array of this type.
    pub fn size_of(&self, kind: Type) -> Option<i64> {
        // SAFETY: the layout belongs to the module.
        unsafe {
            let layout = (api().LLVMGetModuleDataLayout)(self.module.as_ptr());
            kind.is_sized()
                .then(|| (api().LLVMABISizeOfType)(layout, kind.0.as_ptr()).cast_signed())
        }
    }

    /// Where in a structure a field is.
    pub fn offset_of(&self, structure: Type, field: u32) -> i64 {
        // SAFETY: as above; the field is one of those that an instruction has named.
        unsafe {
            let layout = (api().LLVMGetModuleDataLayout)(self.module.as_ptr());
            (api().LLVMOffsetOfElement)(layout, structure.0.as_ptr(), field).cast_signed()
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nobody uses them any more.
        unsafe {
            (api().LLVMDisposeModule)(self.module.as_ptr());
            (api().LLVMContextDispose)(self.context.as_ptr());
        }
    }
}

/// The number of an attribute of functions.
pub(super) fn attribute(name: &str) -> u32 {
    // SAFETY: a text and its length.
    unsafe { (api().LLVMGetEnumAttributeKindForName)(name.as_ptr().cast(), name.len()) }
}

/// A machine that code is made for.
pub struct Machine(pub(super) NonNull<api::TargetMachine>);

impl Machine {
    /// The machine of a module; what its functions say of the processor counts as well. `level` is how much is
    /// done for speed, from 0 to 3.
    pub fn of(module: &Module, level: u8) -> Result<Self, String> {
        const POSITION_INDEPENDENT: i32 = 2;
        const DEFAULT_CODE_MODEL: i32 = 0;
        let (mut target, mut message) = (null_mut(), null_mut());
        // SAFETY: the module lives; a message is ours.
        unsafe {
            (api().LLVMInitializeX86TargetInfo)();
            (api().LLVMInitializeX86Target)();
            (api().LLVMInitializeX86TargetMC)();
            (api().LLVMInitializeX86AsmPrinter)();
            (api().LLVMInitializeX86AsmParser)();
            let triple = (api().LLVMGetTarget)(module.module.as_ptr());
            if (api().LLVMGetTargetFromTriple)(triple, &raw mut target, &raw mut message) != 0 {
                return Err(take_message(message));
            }
            let machine = (api().LLVMCreateTargetMachine)(
                target,
                triple,
                c"x86-64".as_ptr(),
                UNNAMED,
                i32::from(level),
                POSITION_INDEPENDENT,
                DEFAULT_CODE_MODEL,
            );
            NonNull::new(machine).map(Self).ok_or_else(|| "LLVM knows no such machine".to_owned())
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: nobody uses it any more.
        unsafe { (api().LLVMDisposeTargetMachine)(self.0.as_ptr()) };
    }
}

/// Reads bitcode into a context, which must outlive the module.
fn parse(context: NonNull<api::Context>, bitcode: &[u8]) -> Option<NonNull<api::Module>> {
    let mut module = null_mut();
    // SAFETY: the buffer does not outlive the bytes that it refers to.
    unsafe {
        let buffer = (api().LLVMCreateMemoryBufferWithMemoryRange)(
            bitcode.as_ptr().cast(),
            bitcode.len(),
            c"module".as_ptr(),
            0,
        );
        let failed = (api().LLVMParseBitcodeInContext2)(context.as_ptr(), buffer, &raw mut module);
        (api().LLVMDisposeMemoryBuffer)(buffer);
        NonNull::new(module).filter(|_| failed == 0)
    }
}

/// The bytes of a buffer, which is gone afterwards.
///
/// # Safety
/// The buffer is the caller's.
unsafe fn take_bytes(buffer: *mut api::Buffer) -> Vec<u8> {
    // SAFETY: by the caller's promise.
    unsafe {
        let start = (api().LLVMGetBufferStart)(buffer).cast::<u8>();
        let bytes = std::slice::from_raw_parts(start, (api().LLVMGetBufferSize)(buffer)).to_vec();
        (api().LLVMDisposeMemoryBuffer)(buffer);
        bytes
    }
}

/// The text of a message, which is gone afterwards.
///
/// # Safety
/// The message is the caller's.
unsafe fn take_message(message: *mut std::ffi::c_char) -> String {
    // SAFETY: by the caller's promise.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api().LLVMDisposeMessage)(message);
        text
    }
}

/// The name of values that need none.
pub(super) const UNNAMED: *const i8 = c"".as_ptr();
