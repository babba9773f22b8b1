pragma circom 2.1.0;

include "bind-context.circom";
include "is-zero.circom";
include "note-opening.circom";
include "range32.circom";
include "range64.circom";
include "windowed-available-opening.circom";

// PayMany: hidden amounts move from an available balance into as many new notes.
// An unused slot holds EMPTY_NOTE = Poseidon(1, 0, 0) and opens to (0, 0) like any other note.
//
//   1. limit < 2^64, spent < 2^64, day < 2^32
//   2. amounts[i] < 2^64
//   3. 0 <= limit - sum(amounts) < 2^64 (by 1 and 2 without wrap)
//   4. oldAvailable opens to (limit, spent, day, oldSalt)
//   5. newAvailable opens to (limit - sum(amounts), spent, day, newSalt)
//   6. notes[i] opens to (amounts[i], noteSalts[i])
//   7. amounts[i] = 0 implies noteSalts[i] = 0, so notes[i] is EMPTY_NOTE
//      (the converse is 6: EMPTY_NOTE opens to nothing but (0, 0))
//   8. ctx is bound
template PayMany(noteCount) {
    // ---- public ----
    signal input oldAvailable;
    signal input newAvailable;
    signal input notes[noteCount];
    signal input ctx;

    // ---- private ----
    signal input limit;
    signal input spent;
    signal input day;
    signal input oldSalt;
    signal input newSalt;
    signal input amounts[noteCount];
    signal input noteSalts[noteCount];

    // 1.
    Range64()(limit);
    Range64()(spent);
    Range32()(day);

    // 2.
    var sum = 0;
    for (var i = 0; i < noteCount; i++) {
        Range64()(amounts[i]);
        sum += amounts[i];
    }

    // 3.
    signal newLimit <== limit - sum;
    Range64()(newLimit);

    // 4.
    WindowedAvailableOpening()(oldAvailable, limit, spent, day, oldSalt);

    // 5.
    WindowedAvailableOpening()(newAvailable, newLimit, spent, day, newSalt);

    // 6.
    for (var i = 0; i < noteCount; i++) {
        NoteOpening()(notes[i], amounts[i], noteSalts[i]);
    }

    // 7.
    signal isUnused[noteCount];
    for (var i = 0; i < noteCount; i++) {
        isUnused[i] <== IsZero()(amounts[i]);
        isUnused[i] * noteSalts[i] === 0;
    }

    // 8.
    BindContext()(ctx);
}
