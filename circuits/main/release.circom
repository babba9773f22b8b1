pragma circom 2.1.0;

include "../src/release.circom";

component main { public [oldAvailable, newAvailable, amount, ctx] } = Release();
