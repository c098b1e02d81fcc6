//! What LLVM does before checks are put in, and after.
//!
//! Before: inlining and simplification, so that what is kept in registers needs no check. Left out is whatever
//! moves accesses from one function to another, or to where they have no line: promotion of arguments, hoisting
//! out of loops, partial redundancies of loads, removal of dead stores, sinking. After: what the compiler does
//! for the level that was asked for.

use std::ffi::CStr;

use crate::llvm::{Machine, Module};

/// How much is done for the speed of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// Little: the checks are calls.
    Quick,
    /// What the compiler does for this level, from 1 to 3: the checks are inlined.
    Fast(u8),
}

/// Functions that are not complete yet keep their branches: a loop's counter that is chosen instead of branched to is
/// no longer seen to count once it is inlined. That is why the last `simplifycfg` speculates nothing.
const BEFORE: &CStr = c"always-inline,\
function(lower-expect,sroa<modify-cfg>,early-cse<memssa>,simplifycfg),\
cgscc(devirt<4>(inline,function-attrs<skip-non-recursive-function-attrs>,\
function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,\
simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,reassociate,loop-simplify,lcssa,\
loop(loop-instsimplify,loop-simplifycfg,loop-rotate<header-duplication>),simplifycfg,\
instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),\
sroa<modify-cfg>,gvn<no-pre;no-load-pre>,sccp,bdce,instcombine<no-verify-fixpoint>,adce,memcpyopt,\
simplifycfg<no-speculate-blocks>,instcombine<no-verify-fixpoint>))),globaldce";

const BEFORE_QUICKLY: &CStr =
    c"always-inline,function(lower-expect,sroa<modify-cfg>,early-cse<memssa>,simplifycfg),\
cgscc(inline,function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
instcombine<no-verify-fixpoint>,simplifycfg)),globaldce";

/// What the compiler does for its highest levels, without what has been done before: inlining above all. Loops are
/// simplified once more, now that checks have left them, and vectorised.
const AFTER: &CStr = c"globalopt,\
function<eager-inv>(early-cse<memssa>,jump-threading,simplifycfg,\
loop-mssa(licm<allowspeculation>,loop-rotate<header-duplication>,licm<allowspeculation>),\
instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),gvn,\
instcombine<no-verify-fixpoint>,adce,dse,loop-mssa(licm<allowspeculation>)),\
function<eager-inv>(loop-distribute,inject-tli-mappings,loop-vectorize,infer-alignment,loop-load-elim,\
simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;hoist-common-insts;\
sink-common-insts>,slp-vectorizer,vector-combine,instcombine<no-verify-fixpoint>,loop-unroll<O3>,\
sroa<preserve-cfg>,instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),loop-sink,\
div-rem-pairs,simplifycfg),globaldce,constmerge";

/// What is done before checks are put in.
pub fn before(module: &Module, machine: &Machine, effort: Effort) -> Result<(), String> {
    match effort {
        Effort::Quick => module.run(BEFORE_QUICKLY, machine),
        Effort::Fast(_) => module.run(BEFORE, machine),
    }
}

/// What is done when they are in.
pub fn after(module: &Module, machine: &Machine, effort: Effort) -> Result<(), String> {
    module.run(
        match effort {
            Effort::Quick => {
                c"function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
                  instcombine<no-verify-fixpoint>,adce,simplifycfg)"
            }
            Effort::Fast(1) => c"default<O1>",
            Effort::Fast(_) => AFTER,
        },
        machine,
    )
}

/// All that the compiler does at its highest level, for a module that gets no checks.
pub fn whole(module: &Module, machine: &Machine) -> Result<(), String> {
    module.run(c"default<O3>", machine)
}

/// What is done with a module that was optimised before checks were put in.
pub fn after_optimised(module: &Module, machine: &Machine) -> Result<(), String> {
    module.run(
        c"function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
          loop-mssa(licm),gvn,simplifycfg),globaldce",
        machine,
    )
}

/// What is done last, with the fast path in the module: it is simple by itself.
pub fn inline_checks(module: &Module, machine: &Machine) -> Result<(), String> {
    module.run(
        c"always-inline,function(early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)",
        machine,
    )
}

impl Effort {
    /// How much is done when machine code is made.
    pub fn of_emission(self) -> u8 {
        match self {
            Self::Quick | Self::Fast(1) => 1,
            Self::Fast(2) => 2,
            Self::Fast(_) => 3,
        }
    }
}
