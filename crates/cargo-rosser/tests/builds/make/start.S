    .section .rodata
    .globl start
    .p2align 3
start:
    .quad 100
    .section .note.GNU-stack,"",@progbits
