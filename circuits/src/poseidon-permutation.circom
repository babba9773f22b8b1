pragma circom 2.1.0;

include "fifth-power.circom";
include "poseidon-constants.circom";

// The Poseidon permutation over BN254 (Grassi et al., eprint 2019/458, section 2.3) of a state of 3 or 4 elements.
//
// Each round
//   1. adds its constants
//   2. raises every element to the fifth power in the first and last four rounds, the first element alone between them
//   3. multiplies the state by the MDS matrix
// Only 2 costs constraints: the compiler folds linear ones into the next. With a signal for every element of every
// state it finds short ones; with sums in variables the proving key would be twice as large.
template PoseidonPermutation(width) {
    signal input in[width];
    signal output out[width];

    var full = poseidonFullRounds();
    var partial = poseidonPartialRounds(width);
    var constants[full + partial][width] = poseidonRoundConstants(width);
    var matrix[width][width] = poseidonMatrix(width);

    signal state[full + partial + 1][width];
    component power[full * width + partial];
    var used = 0;
    state[0] <== in;
    for (var round = 0; round < full + partial; round++) {
        var isFull = round < full / 2 || round >= full / 2 + partial;
        var terms[width];
        for (var i = 0; i < width; i++) {
            // 1.
            terms[i] = state[round][i] + constants[round][i];

            // 2.
            if (isFull || i == 0) {
                power[used] = FifthPower();
                power[used].in <== terms[i];
                terms[i] = power[used].out;
                used++;
            }
        }

        // 3.
        for (var i = 0; i < width; i++) {
            var sum = 0;
            for (var j = 0; j < width; j++) {
                sum += matrix[i][j] * terms[j];
            }
            state[round + 1][i] <== sum;
        }
    }
    out <== state[full + partial];
}
