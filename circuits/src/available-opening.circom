pragma circom 2.1.0;

include "poseidon.circom";

// available balance = Poseidon(2, limit, salt), where nothing was counted. The leading 2 keeps available balances and
// notes apart. While limit is below 2^64, a word with a window (windowed-available-opening.circom) does not open here.
template AvailableOpening() {
    signal input available;
    signal input limit;
    signal input salt;

    signal commitment <== Poseidon(3)([2, limit, salt]);
    available === commitment;
}
