pragma circom 2.1.0;

include "poseidon-permutation.circom";

// Poseidon of two or three inputs: the first element of the permuted state (0, inputs).
template Poseidon(inputCount) {
    signal input inputs[inputCount];
    signal output out;

    component permutation = PoseidonPermutation(inputCount + 1);
    permutation.in[0] <== 0;
    for (var i = 0; i < inputCount; i++) {
        permutation.in[i + 1] <== inputs[i];
    }
    out <== permutation.out[0];
}
