pragma circom 2.1.0;

include "bind-context.circom";
include "range32.circom";
include "range64.circom";
include "windowed-available-opening.circom";

// Fund: a hidden amount moves from one available balance to another. Each keeps its window.
//
//   1. fromLimit, fromSpent, toLimit and toSpent < 2^64, fromDay and toDay < 2^32
//   2. 1 <= amount <= 2^64 (as amount - 1 < 2^64; with 1 and 3: amount < 2^64)
//   3. 0 <= fromLimit - amount < 2^64
//   4. toLimit + amount < 2^64
//   5. fromOld opens to (fromLimit, fromSpent, fromDay, fromOldSalt),
//      fromNew to (fromLimit - amount, fromSpent, fromDay, fromNewSalt)
//   6. toOld opens to (toLimit, toSpent, toDay, toOldSalt), toNew to (toLimit + amount, toSpent, toDay, toNewSalt)
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
    signal input fromSpent;
    signal input fromDay;
    signal input fromOldSalt;
    signal input fromNewSalt;
    signal input toLimit;
    signal input toSpent;
    signal input toDay;
    signal input toOldSalt;
    signal input toNewSalt;

    // 1.
    Range64()(fromLimit);
    Range64()(fromSpent);
    Range32()(fromDay);
    Range64()(toLimit);
    Range64()(toSpent);
    Range32()(toDay);

    // 2.
    Range64()(amount - 1);

    // 3.
    signal fromNewLimit <== fromLimit - amount;
    Range64()(fromNewLimit);

    // 4.
    signal toNewLimit <== toLimit + amount;
    Range64()(toNewLimit);

    // 5.
    WindowedAvailableOpening()(fromOld, fromLimit, fromSpent, fromDay, fromOldSalt);
    WindowedAvailableOpening()(fromNew, fromNewLimit, fromSpent, fromDay, fromNewSalt);

    // 6.
    WindowedAvailableOpening()(toOld, toLimit, toSpent, toDay, toOldSalt);
    WindowedAvailableOpening()(toNew, toNewLimit, toSpent, toDay, toNewSalt);

    // 7.
    BindContext()(ctx);
}
