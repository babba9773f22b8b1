pragma circom 2.1.0;

include "poseidon.circom";

// budget = Poseidon(2, limit, salt). The leading 2 keeps budgets and notes apart.
template BudgetOpening() {
    signal input budget;
    signal input limit;
    signal input salt;

    signal commitment <== Poseidon(3)([2, limit, salt]);
    budget === commitment;
}
