pragma circom 2.1.0;

include "bits.circom";

// out = 1 if a < b, else 0, for a and b below 2^32: the top one of 33 bits of a - b + 2^32 says whether a - b is
// negative.
template LessThan32() {
    signal input a;
    signal input b;
    signal output out;

    component bits = Bits(33);
    bits.in <== a - b + 2 ** 32;
    out <== 1 - bits.out[32];
}
