pragma circom 2.1.0;

include "bits.circom";

// 0 <= in < 2^69, by decomposition into 69 bits: what is left of a sum of up to 32 numbers below 2^64.
template Range69() {
    signal input in;

    component bits = Bits(69);
    bits.in <== in;
}
