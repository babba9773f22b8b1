pragma circom 2.1.0;

include "bind-context.circom";
include "next-salt.circom";
include "note-opening.circom";
include "policy-rules.circom";
include "range32.circom";
include "range64.circom";
include "windowed-available-opening.circom";

// Spend: a hidden amount moves from an available balance under a policy into a new note.
//
//   1. limit < 2^64, spent < 2^64, oldDay < 2^32
//   2. 1 <= amount <= 2^64 (as amount - 1 < 2^64; with 1 and 3: amount < 2^64)
//   3. 0 <= limit - amount < 2^64
//   4. oldAvailable opens to (limit, spent, oldDay, oldSalt)
//   5. note opens to (amount, noteSalt)
//   6. the policy allows the amount and yields newSpent and newDay (policy-rules.circom)
//   7. newSalt and pad follow from oldSalt and note (next-salt.circom)
//   8. newAvailable opens to (limit - amount, newSpent, newDay, newSalt)
//   9. encrypted = amount + pad
//  10. ctx is bound
template Spend() {
    // ---- public ----
    signal input oldAvailable;
    signal input newAvailable;
    signal input note;
    signal input policy;
    signal input terms;
    signal input encrypted;
    signal input ctx;

    // ---- private ----
    signal input limit;
    signal input spent;
    signal input oldDay;
    signal input oldSalt;
    signal input amount;
    signal input noteSalt;
    signal input mode;
    signal input day;
    signal input perPayment;
    signal input daily;
    signal input threshold;
    signal input policySalt;

    // 1.
    Range64()(limit);
    Range64()(spent);
    Range32()(oldDay);

    // 2.
    Range64()(amount - 1);

    // 3.
    signal newLimit <== limit - amount;
    Range64()(newLimit);

    // 4.
    WindowedAvailableOpening()(oldAvailable, limit, spent, oldDay, oldSalt);

    // 5.
    NoteOpening()(note, amount, noteSalt);

    // 6.
    signal (newSpent, newDay) <== PolicyRules()(
        policy, terms, amount, spent, oldDay, mode, day, perPayment, daily, threshold, policySalt
    );

    // 7.
    signal (newSalt, pad) <== NextSalt()(oldSalt, note);

    // 8.
    WindowedAvailableOpening()(newAvailable, newLimit, newSpent, newDay, newSalt);

    // 9.
    encrypted === amount + pad;

    // 10.
    BindContext()(ctx);
}
