pragma circom 2.1.0;

include "poseidon.circom";

// budget = Poseidon(2, limit, salt), where nothing was counted. The leading 2 keeps budgets and notes apart. While limit
// is below 2^64, a word with a window (windowed-budget-opening.circom) does not open here.
template BudgetOpening() {
    signal input budget;
    signal input limit;
    signal input salt;

    signal commitment <== Poseidon(3)([2, limit, salt]);
    budget === commitment;
}
