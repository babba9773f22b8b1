pragma circom 2.1.0;

include "bits.circom";
include "less-than32.circom";
include "policy-word.circom";
include "range32.circom";
include "range64.circom";

// What a policy says of a payment, and the window after it. The caller has checked that amount and spent are below
// 2^64 and oldDay below 2^32.
// Mode 0: the payer's own key signed. Mode 1: the owner's key approved. Mode 2: the wallet signed, and no rule holds.
//
//   1. mode is 0, 1 or 2
//   2. day < 2^32
//   3. terms = mode + 4 * day (by 1 and 2 terms has one split)
//   4. perPayment < 2^64, daily < 2^64, threshold < 2^64
//   5. in modes 0 and 1 policy opens to (perPayment, daily, threshold, policySalt);
//      in mode 2 it stays closed, and the witness chooses limits that satisfy 8 to 10
//   6. newDay = day if day > oldDay, else oldDay; in mode 2 oldDay
//   7. newSpent = amount if day > oldDay, else spent + amount; in mode 2 spent
//   8. newSpent <= daily
//   9. amount <= perPayment
//  10. in mode 0 amount <= threshold
template PolicyRules() {
    signal input policy;
    signal input terms;
    signal input amount;
    signal input spent;
    signal input oldDay;
    signal input mode;
    signal input day;
    signal input perPayment;
    signal input daily;
    signal input threshold;
    signal input policySalt;
    signal output newSpent;
    signal output newDay;

    // 1.
    component bits = Bits(2);
    bits.in <== mode;
    bits.out[0] * bits.out[1] === 0;
    signal isLimited <== 1 - bits.out[1];
    signal isOwn <== isLimited - bits.out[0];

    // 2.
    Range32()(day);

    // 3.
    terms === mode + 4 * day;

    // 4.
    Range64()(perPayment);
    Range64()(daily);
    Range64()(threshold);

    // 5.
    signal word <== PolicyWord()(perPayment, daily, threshold, policySalt);
    isLimited * (word - policy) === 0;

    // 6.
    signal isLater <== LessThan32()(oldDay, day);
    signal laterBy <== isLater * (day - oldDay);
    newDay <== oldDay + isLimited * laterBy;

    // 7.
    signal forgotten <== isLater * spent;
    newSpent <== spent + isLimited * (amount - forgotten);

    // 8.
    Range64()(daily - newSpent);

    // 9.
    Range64()(perPayment - amount);

    // 10.
    signal ownAmount <== isOwn * amount;
    Range64()(threshold - ownAmount);
}
