pragma circom 2.1.0;

include "bits.circom";

// 0 <= in < 2^32, by decomposition into 32 bits. Every day passes here before it is packed or compared.
template Range32() {
    signal input in;

    component bits = Bits(32);
    bits.in <== in;
}
