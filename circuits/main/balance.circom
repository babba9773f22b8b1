pragma circom 2.1.0;

include "../src/balance.circom";

component main { public [notes, budget, total, ctx] } = Balance(16);
