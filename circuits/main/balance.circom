pragma circom 2.1.0;

include "../src/balance.circom";

component main { public [notes, available, total, ctx] } = Balance(16);
