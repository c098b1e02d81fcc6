//! A module of bitcode.

use std::ffi::{CStr, CString};
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use super::api::{self, api};
use super::value::{FUNCTION, Type, Value};

/// A module, in a context of its own.
pub struct Module {
    pub(super) context: NonNull<api::Context>,
    module: NonNull<api::Module>,
}

impl Module {
    /// Reads bitcode; `None` if it is none that this LLVM understands.
    pub fn read(bitcode: &[u8]) -> Option<Self> {
        // SAFETY: the buffer does not outlive the bytes that it refers to, nor the module its context.
        unsafe {
            let context = NonNull::new((api().LLVMContextCreate)())?;
            let buffer = (api().LLVMCreateMemoryBufferWithMemoryRange)(
                bitcode.as_ptr().cast(),
                bitcode.len(),
                c"module".as_ptr(),
                0,
            );
            let mut module = null_mut();
            let failed =
                (api().LLVMParseBitcodeInContext2)(context.as_ptr(), buffer, &raw mut module);
            (api().LLVMDisposeMemoryBuffer)(buffer);
            match NonNull::new(module) {
                Some(module) if failed == 0 => Some(Self { context, module }),
                _ => {
                    (api().LLVMContextDispose)(context.as_ptr());
                    None
                }
            }
        }
    }

    /// Writes it as bitcode without a summary, which makes the linker optimise all of the program as one.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: the module lives; the name ends with a zero.
        match unsafe { (api().LLVMWriteBitcodeToFile)(self.module.as_ptr(), name.as_ptr()) } {
            0 => Ok(()),
            _ => Err(format!("cannot write {}", path.display())),
        }
    }

    /// Runs passes of LLVM, named as `opt` names them.
    pub fn run(&self, passes: &CStr) -> Result<(), String> {
        // SAFETY: the module lives; no target is needed. A message belongs to who asked for it.
        unsafe {
            let options = (api().LLVMCreatePassBuilderOptions)();
            let error =
                (api().LLVMRunPasses)(self.module.as_ptr(), passes.as_ptr(), null_mut(), options);
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

    /// A function that returns nothing and is defined elsewhere.
    pub fn external(&self, name: &CStr, parameters: &[Type]) -> Value {
        // SAFETY: the context lives, and so do the types.
        let kind = unsafe {
            (api().LLVMFunctionType)(
                (api().LLVMVoidTypeInContext)(self.context.as_ptr()),
                parameters.as_ptr().cast(),
                parameters.len() as u32,
                0,
            )
        };
        self.function(name, Type::new(kind))
    }

    /// A function of this name that is defined elsewhere, called as another is.
    pub fn external_like(&self, name: &CStr, other: Value) -> Value {
        // SAFETY: it is a function.
        let kind = unsafe { (api().LLVMGlobalGetValueType)(other.0.as_ptr()) };
        self.function(name, Type::new(kind))
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
        const NEVER_TAIL: i32 = 3;
        // SAFETY: the context lives, and it is a call.
        unsafe {
            (api().LLVMSetTailCallKind)(call.0.as_ptr(), NEVER_TAIL);
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

/// No name.
pub(super) const UNNAMED: *const i8 = c"".as_ptr();
