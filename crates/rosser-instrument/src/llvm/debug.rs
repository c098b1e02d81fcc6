//! What the debug information says about instructions.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ptr::NonNull;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Module;
use super::api::{self, api};
use super::value::Value;

/// Where in the source an instruction comes from. Equal for those that a reader of the source finds at the same
/// line, whatever the column.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    location: *mut api::Metadata,
    number: u32,
    scope: *mut api::Metadata,
    inlined_at: *mut api::Metadata,
}

/// A function of the source, which may have become part of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subprogram(*mut api::Metadata);

/// What kinds of metadata are called.
const SUBPROGRAM: i32 = 17;
const BLOCKS: [i32; 2] = [18, 19];

/// Where the operands of scopes are: of all that a scope is in, and of functions what the linker calls them.
const OUTER_SCOPE: usize = 1;
const LINKAGE_NAME: usize = 3;

impl Line {
    /// The line of a location, which may be null.
    fn at(location: *mut api::Metadata) -> Option<Self> {
        // SAFETY: it is asked only if it is a location.
        (!location.is_null()).then(|| unsafe {
            Self {
                location,
                number: (api().LLVMDILocationGetLine)(location),
                scope: (api().LLVMDILocationGetScope)(location),
                inlined_at: (api().LLVMDILocationGetInlinedAt)(location),
            }
        })
    }

    fn key(&self) -> (u32, usize, usize) {
        (self.number, self.scope.addr(), self.inlined_at.addr())
    }

    /// The line that the function of this one is called at, if it has been inlined there.
    pub fn call(&self) -> Option<Self> {
        Self::at(self.inlined_at)
    }

    /// The function that has this line, inlined or not.
    pub fn function(&self, module: &Module) -> Option<Subprogram> {
        let mut scope = self.scope;
        // SAFETY: a scope lives as long as its module.
        let kind = |scope| unsafe { (api().LLVMGetMetadataKind)(scope) };
        while BLOCKS.contains(&kind(scope)) {
            let outer = *operands(module, scope).get(OUTER_SCOPE)?;
            // SAFETY: the outer scope of a block is metadata.
            scope = unsafe { (api().LLVMValueAsMetadata)(outer?.0.as_ptr()) };
        }
        (kind(scope) == SUBPROGRAM).then_some(Subprogram(scope))
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Line {}

impl PartialOrd for Line {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Line {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Value {
    /// The line of what a function does by itself, before the first one that was written: it gets its arguments.
    pub fn line_of_entry(self) -> Option<Line> {
        // SAFETY: it is a function.
        let scope = unsafe { (api().LLVMGetSubprogram)(self.0.as_ptr()) };
        let nothing = std::ptr::null_mut();
        (!scope.is_null()).then_some(Line {
            location: nothing,
            number: 0,
            scope,
            inlined_at: nothing,
        })
    }

    /// Where in the source an instruction comes from.
    pub fn line(self) -> Option<Line> {
        // SAFETY: it is an instruction.
        Line::at(unsafe { (api().LLVMInstructionGetDebugLoc)(self.0.as_ptr()) })
    }

    /// Says where in the source an instruction comes from.
    pub fn set_line(self, line: Option<Line>) {
        if let Some(line) = line.filter(|line| !line.location.is_null()) {
            // SAFETY: an instruction of the function that the location is in.
            unsafe { (api().LLVMInstructionSetDebugLoc)(self.0.as_ptr(), line.location) };
        }
    }
}

/// Marks that instructions carry in their debug information: a block of the source that nobody has written, around
/// theirs. Whatever becomes of an instruction, and of those that are made of it, has the mark as long as it comes
/// from marked ones only: of two lines in different blocks LLVM keeps what is around both.
pub struct Marks<'m> {
    module: &'m Module,
    builder: NonNull<api::DebugBuilder>,
    blocks: RefCell<FxHashMap<usize, *mut api::Metadata>>,
    marked: RefCell<FxHashSet<usize>>,
}

impl<'m> Marks<'m> {
    /// No instruction is marked yet.
    pub fn new(module: &'m Module) -> Self {
        // SAFETY: the module lives.
        let builder =
            unsafe { (api().LLVMCreateDIBuilderDisallowUnresolved)(module.module.as_ptr()) };
        let builder = NonNull::new(builder).expect("there are builders");
        Self { module, builder, blocks: RefCell::default(), marked: RefCell::default() }
    }

    /// Marks an instruction, which comes from a line. Where that has been inlined, the line of the call is marked as
    /// well if `is_marked` says so of its function: then what becomes of both is marked.
    pub fn mark(
        &self,
        instruction: Value,
        line: &Line,
        is_marked: &mut impl FnMut(Subprogram) -> bool,
    ) {
        let location = self.marked(line, is_marked);
        // SAFETY: an instruction of the function that the location is in.
        unsafe { (api().LLVMInstructionSetDebugLoc)(instruction.0.as_ptr(), location) };
    }

    /// The location of a line, with a mark.
    fn marked(
        &self,
        line: &Line,
        is_marked: &mut impl FnMut(Subprogram) -> bool,
    ) -> *mut api::Metadata {
        let mut inlined_at = line.inlined_at;
        if let Some(call) = Line::at(inlined_at)
            && call.function(self.module).is_some_and(&mut *is_marked)
        {
            inlined_at = self.marked(&call, is_marked);
        }
        // SAFETY: the scope is that of a location, and lives as long as the module.
        let block = *self.blocks.borrow_mut().entry(line.scope.addr()).or_insert_with(|| unsafe {
            let file = (api().LLVMDIScopeGetFile)(line.scope);
            (api().LLVMDIBuilderCreateLexicalBlock)(
                self.builder.as_ptr(),
                line.scope,
                file,
                line.number,
                0,
            )
        });
        self.marked.borrow_mut().insert(block.addr());
        // SAFETY: as above.
        unsafe {
            (api().LLVMDIBuilderCreateDebugLocation)(
                self.module.context.as_ptr(),
                line.number,
                if line.location.is_null() {
                    0
                } else {
                    (api().LLVMDILocationGetColumn)(line.location)
                },
                block,
                inlined_at,
            )
        }
    }

    /// Whether all that an instruction comes from is marked.
    pub fn has(&self, instruction: Value) -> bool {
        instruction.line().is_some_and(|line| self.marked.borrow().contains(&line.scope.addr()))
    }
}

impl Drop for Marks<'_> {
    fn drop(&mut self) {
        // SAFETY: it is not used any more.
        unsafe { (api().LLVMDisposeDIBuilder)(self.builder.as_ptr()) };
    }
}

impl Subprogram {
    /// What the linker calls it.
    pub fn name(self, module: &Module) -> Option<String> {
        let name = (*operands(module, self.0).get(LINKAGE_NAME)?)?;
        let mut len = 0;
        // SAFETY: a text lives as long as its module, and a name is one.
        let bytes = unsafe {
            let text = (api().LLVMGetMDString)(name.0.as_ptr(), &raw mut len);
            if text.is_null() {
                return None;
            }
            std::slice::from_raw_parts(text.cast::<u8>(), len as usize)
        };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// What a node of metadata consists of.
fn operands(module: &Module, node: *mut api::Metadata) -> Vec<Option<Value>> {
    // SAFETY: the node lives.
    let node = unsafe { (api().LLVMMetadataAsValue)(module.context.as_ptr(), node) };
    Value::new(node).map_or_else(Vec::new, operands_of)
}

/// What a node of metadata consists of, as a value.
pub(super) fn operands_of(node: Value) -> Vec<Option<Value>> {
    // SAFETY: the node lives, and has as many operands as it says.
    unsafe {
        let count = (api().LLVMGetMDNodeNumOperands)(node.0.as_ptr()) as usize;
        let mut operands = vec![None; count];
        // An operand that is missing is null, and so is `None`.
        (api().LLVMGetMDNodeOperands)(node.0.as_ptr(), operands.as_mut_ptr().cast());
        operands
    }
}
