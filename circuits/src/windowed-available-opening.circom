pragma circom 2.1.0;

include "poseidon.circom";

// available balance = Poseidon(2, limit + 2^64 * spent + 2^128 * day, salt). With spent and day 0 it is the word of
// available-opening.circom. The sum has one split only while limit and spent are below 2^64 and day below 2^32:
// callers check each of the three.
template WindowedAvailableOpening() {
    signal input available;
    signal input limit;
    signal input spent;
    signal input day;
    signal input salt;

    signal commitment <== Poseidon(3)([2, limit + 2 ** 64 * spent + 2 ** 128 * day, salt]);
    available === commitment;
}
