pragma circom 2.1.0;

include "bits.circom";

// 0 <= in < 2^64, by decomposition into 64 bits. Every amount passes here before it is added or compared.
template Range64() {
    signal input in;

    component bits = Bits(64);
    bits.in <== in;
}
