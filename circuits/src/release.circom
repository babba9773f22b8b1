pragma circom 2.1.0;

include "bind-context.circom";
include "available-opening.circom";
include "range64.circom";

// Release: a public amount leaves an available balance.
//
//   1. limit < 2^64
//   2. 1 <= amount <= 2^64 (as amount - 1 < 2^64; with 1 and 3: amount < 2^64)
//   3. 0 <= limit - amount < 2^64
//   4. oldAvailable opens to (limit, oldSalt)
//   5. newAvailable opens to (limit - amount, newSalt)
//   6. ctx is bound
template Release() {
    // ---- public ----
    signal input oldAvailable;
    signal input newAvailable;
    signal input amount;
    signal input ctx;

    // ---- private ----
    signal input limit;
    signal input oldSalt;
    signal input newSalt;

    // 1.
    Range64()(limit);

    // 2.
    Range64()(amount - 1);

    // 3.
    signal newLimit <== limit - amount;
    Range64()(newLimit);

    // 4.
    AvailableOpening()(oldAvailable, limit, oldSalt);

    // 5.
    AvailableOpening()(newAvailable, newLimit, newSalt);

    // 6.
    BindContext()(ctx);
}
