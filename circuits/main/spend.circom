pragma circom 2.1.0;

include "../src/spend.circom";

component main { public [oldAvailable, newAvailable, note, policy, terms, encrypted, ctx] } = Spend();
