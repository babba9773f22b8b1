pragma circom 2.1.0;

// The S-box of Poseidon: out = in^5.
template FifthPower() {
    signal input in;
    signal output out;

    signal square <== in * in;
    signal fourth <== square * square;
    out <== fourth * in;
}
