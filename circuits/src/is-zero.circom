pragma circom 2.1.0;

// out = 1 if in = 0, else 0.
//
//   1. out = 1 - in * inv (so in = 0 yields 1)
//   2. in * out = 0 (so any other in yields 0)
template IsZero() {
    signal input in;
    signal output out;

    // A hint: 1 and 2 decide.
    signal inv <-- in != 0 ? 1 / in : 0;

    // 1.
    out <== 1 - in * inv;

    // 2.
    in * out === 0;
}
