pragma circom 2.1.0;

include "../src/transfer.circom";

component main { public [oldBudget, newBudget, note, ctx] } = Transfer();
