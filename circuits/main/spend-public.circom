pragma circom 2.1.0;

include "../src/spend-public.circom";

component main { public [oldAvailable, newAvailable, amount, policy, terms, ctx] } = SpendPublic();
