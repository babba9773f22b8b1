pragma circom 2.1.0;

include "bind-context.circom";
include "budget-opening.circom";
include "range64.circom";

// Fund: a hidden amount moves from one budget to another.
//
//   1. fromLimit < 2^64 and toLimit < 2^64
//   2. 1 <= amount <= 2^64 (as amount - 1 < 2^64; with 1 and 3: amount < 2^64)
//   3. 0 <= fromLimit - amount < 2^64
//   4. toLimit + amount < 2^64
//   5. fromOld opens to (fromLimit, fromOldSalt), fromNew to (fromLimit - amount, fromNewSalt)
//   6. toOld opens to (toLimit, toOldSalt), toNew to (toLimit + amount, toNewSalt)
//   7. ctx is bound
template Fund() {
    // ---- public ----
    signal input fromOld;
    signal input fromNew;
    signal input toOld;
    signal input toNew;
    signal input ctx;

    // ---- private ----
    signal input amount;
    signal input fromLimit;
    signal input fromOldSalt;
    signal input fromNewSalt;
    signal input toLimit;
    signal input toOldSalt;
    signal input toNewSalt;

    // 1.
    Range64()(fromLimit);
    Range64()(toLimit);

    // 2.
    Range64()(amount - 1);

    // 3.
    signal fromNewLimit <== fromLimit - amount;
    Range64()(fromNewLimit);

    // 4.
    signal toNewLimit <== toLimit + amount;
    Range64()(toNewLimit);

    // 5.
    BudgetOpening()(fromOld, fromLimit, fromOldSalt);
    BudgetOpening()(fromNew, fromNewLimit, fromNewSalt);

    // 6.
    BudgetOpening()(toOld, toLimit, toOldSalt);
    BudgetOpening()(toNew, toNewLimit, toNewSalt);

    // 7.
    BindContext()(ctx);
}
