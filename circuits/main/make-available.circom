pragma circom 2.1.0;

include "../src/make-available.circom";

component main { public [notes, deposited, oldAvailable, newAvailable, changeNote, ctx] } = MakeAvailable(8);
