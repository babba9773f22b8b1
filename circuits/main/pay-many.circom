pragma circom 2.1.0;

include "../src/pay-many.circom";

component main { public [oldBudget, newBudget, notes, ctx] } = PayMany(16);
