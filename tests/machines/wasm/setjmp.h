/* Nothing: WebAssembly has no setjmp, and the cmocka.h beside this file needs none. */
