pragma circom 2.1.0;

include "../src/fund.circom";

component main { public [fromOld, fromNew, toOld, toNew, ctx] } = Fund();
