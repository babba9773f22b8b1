pragma circom 2.1.0;

include "bind-context.circom";
include "is-zero.circom";
include "note-opening.circom";
include "range32.circom";
include "range64.circom";
include "windowed-available-opening.circom";

// MakeAvailable: notes, deposited money and the old available balance become a new available balance and a change note.
// The wallet, which signs, chooses the new window.
// An unused slot holds EMPTY_NOTE = Poseidon(1, 0, 0) and opens to (0, 0) like any other note.
//
//   1. amounts[i] < 2^64, deposited < 2^64, oldLimit < 2^64, oldSpent < 2^64, oldDay < 2^32
//   2. newLimit < 2^64, newSpent < 2^64, newDay < 2^32, change < 2^64
//   3. sum(amounts) + deposited + oldLimit = newLimit + change
//      (by 1 and 2 both sides are far below r: equal in the field is equal in the integers)
//   4. notes[i] opens to (amounts[i], noteSalts[i])
//   5. oldAvailable opens to (oldLimit, oldSpent, oldDay, oldSalt), newAvailable to (newLimit, newSpent, newDay,
//   newSalt)
//   6. changeNote opens to (change, changeSalt)
//   7. change = 0 implies changeSalt = 0, so changeNote is EMPTY_NOTE
//      (the converse is 6: EMPTY_NOTE opens to nothing but (0, 0))
//   8. ctx is bound
template MakeAvailable(noteCount) {
    // ---- public ----
    signal input notes[noteCount];
    signal input deposited;
    signal input oldAvailable;
    signal input newAvailable;
    signal input changeNote;
    signal input ctx;

    // ---- private ----
    signal input amounts[noteCount];
    signal input noteSalts[noteCount];
    signal input oldLimit;
    signal input oldSpent;
    signal input oldDay;
    signal input oldSalt;
    signal input newLimit;
    signal input newSpent;
    signal input newDay;
    signal input newSalt;
    signal input change;
    signal input changeSalt;

    // 1.
    for (var i = 0; i < noteCount; i++) {
        Range64()(amounts[i]);
    }
    Range64()(deposited);
    Range64()(oldLimit);
    Range64()(oldSpent);
    Range32()(oldDay);

    // 2.
    Range64()(newLimit);
    Range64()(newSpent);
    Range32()(newDay);
    Range64()(change);

    // 3.
    var inflow = deposited + oldLimit;
    for (var i = 0; i < noteCount; i++) {
        inflow += amounts[i];
    }
    inflow === newLimit + change;

    // 4.
    for (var i = 0; i < noteCount; i++) {
        NoteOpening()(notes[i], amounts[i], noteSalts[i]);
    }

    // 5.
    WindowedAvailableOpening()(oldAvailable, oldLimit, oldSpent, oldDay, oldSalt);
    WindowedAvailableOpening()(newAvailable, newLimit, newSpent, newDay, newSalt);

    // 6.
    NoteOpening()(changeNote, change, changeSalt);

    // 7.
    signal noChange <== IsZero()(change);
    noChange * changeSalt === 0;

    // 8.
    BindContext()(ctx);
}
