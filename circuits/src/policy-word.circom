pragma circom 2.1.0;

include "poseidon.circom";

// word = Poseidon(3, perPayment + 2^64 * daily + 2^128 * threshold, salt). The sum has one split only while each limit
// is below 2^64: callers check that.
template PolicyWord() {
    signal input perPayment;
    signal input daily;
    signal input threshold;
    signal input salt;
    signal output word;

    word <== Poseidon(3)([3, perPayment + 2 ** 64 * daily + 2 ** 128 * threshold, salt]);
}
