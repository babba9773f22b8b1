pragma circom 2.1.0;

include "../src/allocate.circom";

component main { public [notes, credit, oldAvailable, newAvailable, changeNote, ctx] } = Allocate(8);
