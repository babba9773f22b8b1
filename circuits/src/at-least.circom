pragma circom 2.1.0;

include "bind-context.circom";
include "note-opening.circom";
include "range32.circom";
include "range64.circom";
include "range69.circom";
include "windowed-available-opening.circom";

// AtLeast: notes and an available balance hold a public minimum or more. Never used on chain. Verifiers refuse a
// note that it names twice.
// An unused slot holds EMPTY_NOTE = Poseidon(1, 0, 0) and opens to (0, 0) like any other note.
//
//   1. amounts[i] < 2^64, limit < 2^64, spent < 2^64, day < 2^32, minimum < 2^64
//   2. 0 <= sum(amounts) + limit - minimum < 2^69 (by 1 the sum of up to 31 amounts and the limit is below 2^69)
//   3. notes[i] opens to (amounts[i], noteSalts[i])
//   4. available balance opens to (limit, spent, day, salt)
//   5. ctx is bound
template AtLeast(noteCount) {
    // ---- public ----
    signal input notes[noteCount];
    signal input available;
    signal input minimum;
    signal input ctx;

    // ---- private ----
    signal input amounts[noteCount];
    signal input noteSalts[noteCount];
    signal input limit;
    signal input spent;
    signal input day;
    signal input salt;

    // 1.
    var sum = limit;
    for (var i = 0; i < noteCount; i++) {
        Range64()(amounts[i]);
        sum += amounts[i];
    }
    Range64()(limit);
    Range64()(spent);
    Range32()(day);
    Range64()(minimum);

    // 2.
    Range69()(sum - minimum);

    // 3.
    for (var i = 0; i < noteCount; i++) {
        NoteOpening()(notes[i], amounts[i], noteSalts[i]);
    }

    // 4.
    WindowedAvailableOpening()(available, limit, spent, day, salt);

    // 5.
    BindContext()(ctx);
}
