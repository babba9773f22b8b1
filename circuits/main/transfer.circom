pragma circom 2.1.0;

include "../src/transfer.circom";

component main { public [oldAvailable, newAvailable, note, ctx] } = Transfer();
