pragma circom 2.1.0;

include "poseidon.circom";

// note = Poseidon(1, amount, salt). The leading 1 keeps notes and available balances apart.
template NoteOpening() {
    signal input note;
    signal input amount;
    signal input salt;

    signal commitment <== Poseidon(3)([1, amount, salt]);
    note === commitment;
}
