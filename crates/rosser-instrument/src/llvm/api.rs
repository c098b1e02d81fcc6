//! The functions of LLVM's C interface that are used, found by name in the compiler's own library.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong};
use std::marker::{PhantomData, PhantomPinned};
use std::path::Path;
use std::sync::OnceLock;

use libloading::Library;

/// Types of which only LLVM knows the inside.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name(PhantomData<(*mut u8, PhantomPinned)>);
    )*};
}

opaque! { Attribute Context Module Value Block Type Metadata Builder Buffer Error PassOptions TargetData Use Target
TargetMachine DebugBuilder Comdat }

/// A table of functions, and how it is filled.
macro_rules! functions {
    ($(fn $name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions, under the names that LLVM gives them.
        #[allow(non_snake_case)]
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// What the functions are in must stay.
            _library: Library,
        }

        impl Api {
            fn find(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: LLVM's C interface does not change the types of functions.
                unsafe {
                    Ok(Self {
                        $($name: *library.get(concat!(stringify!($name), "\0"))?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

functions! {
    fn LLVMContextCreate() -> *mut Context;
    fn LLVMContextDispose(*mut Context);
    fn LLVMCreateMemoryBufferWithMemoryRange(*const c_char, usize, *const c_char, c_int) -> *mut Buffer;
    fn LLVMDisposeMemoryBuffer(*mut Buffer);
    fn LLVMParseBitcodeInContext2(*mut Context, *mut Buffer, *mut *mut Module) -> c_int;
    fn LLVMWriteBitcodeToMemoryBuffer(*mut Module) -> *mut Buffer;
    fn LLVMGetBufferStart(*mut Buffer) -> *const c_char;
    fn LLVMGetBufferSize(*mut Buffer) -> usize;
    fn LLVMLinkModules2(*mut Module, *mut Module) -> c_int;
    fn LLVMSetModuleInlineAsm2(*mut Module, *const c_char, usize);
    fn LLVMAppendModuleInlineAsm(*mut Module, *const c_char, usize);
    fn LLVMGetModuleInlineAsm(*mut Module, *mut usize) -> *const c_char;
    fn LLVMGetSourceFileName(*mut Module, *mut usize) -> *const c_char;
    fn LLVMDisposeModule(*mut Module);
    fn LLVMVerifyModule(*mut Module, c_int, *mut *mut c_char) -> c_int;
    fn LLVMDisposeMessage(*mut c_char);
    fn LLVMGetModuleDataLayout(*mut Module) -> *mut TargetData;
    fn LLVMCreatePassBuilderOptions() -> *mut PassOptions;
    fn LLVMDisposePassBuilderOptions(*mut PassOptions);
    fn LLVMRunPasses(*mut Module, *const c_char, *mut TargetMachine, *mut PassOptions) -> *mut Error;
    fn LLVMGetErrorMessage(*mut Error) -> *mut c_char;
    fn LLVMDisposeErrorMessage(*mut c_char);

    fn LLVMInitializeX86TargetInfo();
    fn LLVMInitializeX86Target();
    fn LLVMInitializeX86TargetMC();
    fn LLVMInitializeX86AsmPrinter();
    fn LLVMInitializeX86AsmParser();
    fn LLVMGetTarget(*mut Module) -> *const c_char;
    fn LLVMGetTargetFromTriple(*const c_char, *mut *mut Target, *mut *mut c_char) -> c_int;
    fn LLVMCreateTargetMachine(*mut Target, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> *mut TargetMachine;
    fn LLVMDisposeTargetMachine(*mut TargetMachine);
    fn LLVMTargetMachineEmitToMemoryBuffer(*mut TargetMachine, *mut Module, c_int, *mut *mut c_char, *mut *mut Buffer) -> c_int;

    fn LLVMGetFirstGlobal(*mut Module) -> *mut Value;
    fn LLVMGetNextGlobal(*mut Value) -> *mut Value;
    fn LLVMDeleteGlobal(*mut Value);
    fn LLVMIsGlobalConstant(*mut Value) -> c_int;
    fn LLVMIsThreadLocal(*mut Value) -> c_int;
    fn LLVMGetInitializer(*mut Value) -> *mut Value;
    fn LLVMIsNull(*mut Value) -> c_int;
    fn LLVMGetLinkage(*mut Value) -> c_int;
    fn LLVMSetLinkage(*mut Value, c_int);
    fn LLVMGetSection(*mut Value) -> *const c_char;
    fn LLVMSetSection(*mut Value, *const c_char);
    fn LLVMSetComdat(*mut Value, *mut Comdat);
    fn LLVMIsAGlobalVariable(*mut Value) -> *mut Value;
    fn LLVMIsAGlobalValue(*mut Value) -> *mut Value;
    fn LLVMIsAConstantExpr(*mut Value) -> *mut Value;
    fn LLVMGetConstOpcode(*mut Value) -> c_int;
    fn LLVMIsAInlineAsm(*mut Value) -> *mut Value;
    fn LLVMGetInlineAsmAsmString(*mut Value, *mut usize) -> *const c_char;
    fn LLVMRemoveEnumAttributeAtIndex(*mut Value, c_uint, c_uint);
    fn LLVMRemoveCallSiteEnumAttribute(*mut Value, c_uint, c_uint);
    fn LLVMAddAttributeAtIndex(*mut Value, c_uint, *mut Attribute);
    fn LLVMGetEnumAttributeValue(*mut Attribute) -> u64;
    fn LLVMGetTypeAttributeValue(*mut Attribute) -> *mut Type;
    fn LLVMCountParams(*mut Value) -> c_uint;

    fn LLVMGetFirstFunction(*mut Module) -> *mut Value;
    fn LLVMGetNextFunction(*mut Value) -> *mut Value;
    fn LLVMGetNamedFunction(*mut Module, *const c_char) -> *mut Value;
    fn LLVMGetFirstGlobalAlias(*mut Module) -> *mut Value;
    fn LLVMGetNextGlobalAlias(*mut Value) -> *mut Value;
    fn LLVMIsAGlobalAlias(*mut Value) -> *mut Value;
    fn LLVMAddFunction(*mut Module, *const c_char, *mut Type) -> *mut Value;
    fn LLVMGlobalGetValueType(*mut Value) -> *mut Type;
    fn LLVMIsDeclaration(*mut Value) -> c_int;
    fn LLVMGetValueName2(*mut Value, *mut usize) -> *const c_char;
    fn LLVMSetValueName2(*mut Value, *const c_char, usize);
    fn LLVMGetEnumAttributeKindForName(*const c_char, usize) -> c_uint;
    fn LLVMGetEnumAttributeAtIndex(*mut Value, c_uint, c_uint) -> *mut Attribute;
    fn LLVMCreateEnumAttribute(*mut Context, c_uint, u64) -> *mut Attribute;
    fn LLVMAddCallSiteAttribute(*mut Value, c_uint, *mut Attribute);
    fn LLVMGetCallSiteEnumAttribute(*mut Value, c_uint, c_uint) -> *mut Attribute;

    fn LLVMGetFirstBasicBlock(*mut Value) -> *mut Block;
    fn LLVMGetNextBasicBlock(*mut Block) -> *mut Block;
    fn LLVMGetBasicBlockTerminator(*mut Block) -> *mut Value;
    fn LLVMGetNumSuccessors(*mut Value) -> c_uint;
    fn LLVMGetSuccessor(*mut Value, c_uint) -> *mut Block;
    fn LLVMGetFirstInstruction(*mut Block) -> *mut Value;
    fn LLVMGetNextInstruction(*mut Value) -> *mut Value;
    fn LLVMGetInstructionParent(*mut Value) -> *mut Block;
    fn LLVMGetInstructionOpcode(*mut Value) -> c_int;
    fn LLVMIsAInstruction(*mut Value) -> *mut Value;
    fn LLVMIsAConstantInt(*mut Value) -> *mut Value;
    fn LLVMIsAFunction(*mut Value) -> *mut Value;
    fn LLVMConstIntGetSExtValue(*mut Value) -> i64;
    fn LLVMTypeOf(*mut Value) -> *mut Type;
    fn LLVMGetNumOperands(*mut Value) -> c_int;
    fn LLVMSetOperand(*mut Value, c_uint, *mut Value);
    fn LLVMGetOperand(*mut Value, c_uint) -> *mut Value;
    fn LLVMGetCalledValue(*mut Value) -> *mut Value;
    fn LLVMGetOrdering(*mut Value) -> c_int;
    fn LLVMGetMDKindID(*const c_char, c_uint) -> c_uint;
    fn LLVMGetMetadata(*mut Value, c_uint) -> *mut Value;
    fn LLVMSetMetadata(*mut Value, c_uint, *mut Value);
    fn LLVMMDNodeInContext2(*mut Context, *const *mut Metadata, usize) -> *mut Metadata;
    fn LLVMIsAtomicSingleThread(*mut Value) -> c_int;
    fn LLVMGetAtomicRMWBinOp(*mut Value) -> c_int;
    fn LLVMGetCmpXchgSuccessOrdering(*mut Value) -> c_int;
    fn LLVMGetCmpXchgFailureOrdering(*mut Value) -> c_int;
    fn LLVMGetAlignment(*mut Value) -> c_uint;
    fn LLVMGetFirstUse(*mut Value) -> *mut Use;
    fn LLVMGetNextUse(*mut Use) -> *mut Use;
    fn LLVMGetUser(*mut Use) -> *mut Value;
    fn LLVMReplaceAllUsesWith(*mut Value, *mut Value);
    fn LLVMGetNumArgOperands(*mut Value) -> c_uint;
    fn LLVMInstructionEraseFromParent(*mut Value);
    fn LLVMInstructionGetDebugLoc(*mut Value) -> *mut Metadata;
    fn LLVMInstructionSetDebugLoc(*mut Value, *mut Metadata);
    fn LLVMDILocationGetLine(*mut Metadata) -> c_uint;
    fn LLVMDILocationGetScope(*mut Metadata) -> *mut Metadata;
    fn LLVMDILocationGetInlinedAt(*mut Metadata) -> *mut Metadata;
    fn LLVMGetSubprogram(*mut Value) -> *mut Metadata;
    fn LLVMDILocationGetColumn(*mut Metadata) -> c_uint;
    fn LLVMDIScopeGetFile(*mut Metadata) -> *mut Metadata;
    fn LLVMCreateDIBuilderDisallowUnresolved(*mut Module) -> *mut DebugBuilder;
    fn LLVMDisposeDIBuilder(*mut DebugBuilder);
    fn LLVMDIBuilderCreateLexicalBlock(*mut DebugBuilder, *mut Metadata, *mut Metadata, c_uint, c_uint) -> *mut Metadata;
    fn LLVMDIBuilderCreateDebugLocation(*mut Context, c_uint, c_uint, *mut Metadata, *mut Metadata) -> *mut Metadata;
    fn LLVMGetMetadataKind(*mut Metadata) -> c_int;
    fn LLVMMetadataAsValue(*mut Context, *mut Metadata) -> *mut Value;
    fn LLVMValueAsMetadata(*mut Value) -> *mut Metadata;
    fn LLVMGetMDNodeNumOperands(*mut Value) -> c_uint;
    fn LLVMGetMDNodeOperands(*mut Value, *mut *mut Value);
    fn LLVMGetMDString(*mut Value, *mut c_uint) -> *const c_char;
    fn LLVMCountIncoming(*mut Value) -> c_uint;
    fn LLVMGetIncomingValue(*mut Value, c_uint) -> *mut Value;
    fn LLVMGetIncomingBlock(*mut Value, c_uint) -> *mut Block;
    fn LLVMAddIncoming(*mut Value, *const *mut Value, *const *mut Block, c_uint);
    fn LLVMGetIsDisjoint(*mut Value) -> c_int;

    fn LLVMGetTypeKind(*mut Type) -> c_int;
    fn LLVMGetIntTypeWidth(*mut Type) -> c_uint;
    fn LLVMGetElementType(*mut Type) -> *mut Type;
    fn LLVMGetGEPSourceElementType(*mut Value) -> *mut Type;
    fn LLVMStoreSizeOfType(*mut TargetData, *mut Type) -> c_ulonglong;
    fn LLVMGetVectorSize(*mut Type) -> c_uint;
    fn LLVMIntTypeInContext(*mut Context, c_uint) -> *mut Type;
    fn LLVMABISizeOfType(*mut TargetData, *mut Type) -> c_ulonglong;
    fn LLVMOffsetOfElement(*mut TargetData, *mut Type, c_uint) -> c_ulonglong;
    fn LLVMStructGetTypeAtIndex(*mut Type, c_uint) -> *mut Type;
    fn LLVMInt8TypeInContext(*mut Context) -> *mut Type;
    fn LLVMInt64TypeInContext(*mut Context) -> *mut Type;
    fn LLVMPointerTypeInContext(*mut Context, c_uint) -> *mut Type;
    fn LLVMVoidTypeInContext(*mut Context) -> *mut Type;
    fn LLVMFunctionType(*mut Type, *const *mut Type, c_uint, c_int) -> *mut Type;
    fn LLVMConstInt(*mut Type, c_ulonglong, c_int) -> *mut Value;

    fn LLVMCreateBuilderInContext(*mut Context) -> *mut Builder;
    fn LLVMDisposeBuilder(*mut Builder);
    fn LLVMPositionBuilderBefore(*mut Builder, *mut Value);
    fn LLVMBuildAdd(*mut Builder, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildSub(*mut Builder, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildMul(*mut Builder, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildICmp(*mut Builder, c_int, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildSelect(*mut Builder, *mut Value, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildGEP2(*mut Builder, *mut Type, *mut Value, *const *mut Value, c_uint, *const c_char) -> *mut Value;
    fn LLVMBuildPtrToInt(*mut Builder, *mut Value, *mut Type, *const c_char) -> *mut Value;
    fn LLVMBuildIntToPtr(*mut Builder, *mut Value, *mut Type, *const c_char) -> *mut Value;
    fn LLVMBuildBitCast(*mut Builder, *mut Value, *mut Type, *const c_char) -> *mut Value;
    fn LLVMBuildAnd(*mut Builder, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildSExt(*mut Builder, *mut Value, *mut Type, *const c_char) -> *mut Value;
    fn LLVMBuildZExt(*mut Builder, *mut Value, *mut Type, *const c_char) -> *mut Value;
    fn LLVMBuildExtractElement(*mut Builder, *mut Value, *mut Value, *const c_char) -> *mut Value;
    fn LLVMBuildInsertValue(*mut Builder, *mut Value, *mut Value, c_uint, *const c_char) -> *mut Value;
    fn LLVMGetPoison(*mut Type) -> *mut Value;
    fn LLVMBuildPhi(*mut Builder, *mut Type, *const c_char) -> *mut Value;
    fn LLVMGetTailCallKind(*mut Value) -> c_int;
    fn LLVMSetTailCallKind(*mut Value, c_int);
    fn LLVMGetFunctionCallConv(*mut Value) -> c_uint;
    fn LLVMSetFunctionCallConv(*mut Value, c_uint);
    fn LLVMSetInstructionCallConv(*mut Value, c_uint);
    fn LLVMBuildCall2(*mut Builder, *mut Type, *mut Value, *const *mut Value, c_uint, *const c_char) -> *mut Value;
}

static API: OnceLock<Api> = OnceLock::new();

/// Loads the library. Only the first call does anything.
pub fn load(library: &Path) -> Result<(), libloading::Error> {
    if API.get().is_none() {
        // SAFETY: what runs when it is loaded is what runs in every compiler.
        let library = unsafe { Library::new(library)? };
        let api = Api::find(library)?;
        API.get_or_init(|| api);
    }
    Ok(())
}

/// The functions of the LLVM that was loaded. It panics before [`load`].
pub fn api() -> &'static Api {
    API.get().expect("LLVM is loaded before it is used")
}
