//! Entry points that know where they were called from.

/// Defines an entry point that hands on, as the argument after its own, where its return address
/// is.
macro_rules! with_return_address {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)? [$register:literal] => $inner:path) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $result)? {
            std::arch::naked_asm!(
                concat!("mov ", $register, ", rsp"),
                "jmp {inner}",
                inner = sym $inner,
            )
        }
    };
}
pub(crate) use with_return_address;
