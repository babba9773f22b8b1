pragma circom 2.1.0;

include "../src/spend.circom";

component main { public [oldBudget, newBudget, note, policy, terms, sealed, ctx] } = Spend();
