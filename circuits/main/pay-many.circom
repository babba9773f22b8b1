pragma circom 2.1.0;

include "../src/pay-many.circom";

component main { public [oldAvailable, newAvailable, notes, ctx] } = PayMany(16);
