pragma circom 2.1.0;

include "poseidon-permutation.circom";

// The salt of the available balance that follows a payment under a policy, and the pad over its amount: the first two
// elements of the permuted state (0, 5, salt, note). The old salt and the note on chain give both; neither gives
// the old salt. The note fixes the amount, so no pad ever covers two amounts.
template NextSalt() {
    signal input salt;
    signal input note;
    signal output nextSalt;
    signal output pad;

    component permutation = PoseidonPermutation(4);
    permutation.in <== [0, 5, salt, note];
    nextSalt <== permutation.out[0];
    pad <== permutation.out[1];
}
