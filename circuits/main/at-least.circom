pragma circom 2.1.0;

include "../src/at-least.circom";

component main { public [notes, available, minimum, ctx] } = AtLeast(16);
