pragma circom 2.1.0;

include "../src/allocate.circom";

component main { public [notes, credit, oldBudget, newBudget, changeNote, ctx] } = Allocate(8);
