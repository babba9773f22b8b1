import { availableCommitment, EMPTY_NOTE, type NoteOpening, noteCommitment } from "../crypto/commitments";
import { InsufficientFunds, LedgerError } from "../crypto/errors";
import { assertUnits, commitmentToHex } from "../crypto/field";
import { availableSaltOf } from "../crypto/payment-seed";
import type { AvailableWindow } from "../crypto/window";
import type { SignedMakeAvailable } from "./documents";
import { noteOf } from "./note-parts";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { type AvailableRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/** Note slots in one move to the available balance. */
export const MAKE_AVAILABLE_NOTES = 8;

/** `available` is EMPTY_AVAILABLE_OPENING if there was none. Amounts in units. */
interface MakeAvailableRequest extends AvailableRequest {
  /** Up to 8 unspent notes, all of which are spent. */
  notes: readonly NoteOpening[];
  /** The part of the deposited money that is used. */
  deposited: bigint;
  /** The available balance afterwards. What is left over comes back as a note. */
  newLimit: bigint;
  /**
   * The window of the new available balance; that of the old one by default. NO_WINDOW for an account whose policy was
   * removed.
   */
  window?: AvailableWindow;
  /** The account's nonce on the ledger. */
  nonce: bigint;
}

/**
 * Plans a move to the available balance: notes, deposited money and old available balance become the new available
 * balance and a change note (EMPTY_NOTE if nothing is left over). The wallet must sign it; the payment key can't. The
 * amount in the payer's copy is the change.
 *
 * @throws InvalidUnits (also if the change would reach 2^64), InsufficientFunds, UnusableViewingKey; LedgerError for
 *   too many notes
 */
export async function planMakeAvailable(request: MakeAvailableRequest): Promise<Plan<SignedMakeAvailable>> {
  const { scope, account, asset, available, deposited, newLimit } = request;
  if (request.notes.length > MAKE_AVAILABLE_NOTES) {
    throw new LedgerError("One transaction takes up to 8 received payments.");
  }
  assertUnits(deposited);
  assertUnits(newLimit);
  const change = request.notes.reduce((sum, note) => sum + note.amount, deposited + available.limit) - newLimit;
  if (change < 0n) throw new InsufficientFunds();
  assertUnits(change);

  const unused = Array.from({ length: MAKE_AVAILABLE_NOTES - request.notes.length }, () => ({ amount: 0n, salt: 0n }));
  const slots = [...request.notes, ...unused];
  const notes = [...request.notes.map(noteCommitment), ...unused.map(() => EMPTY_NOTE)];
  const { seed, tag } = seedAndTag(request);
  const salt = availableSaltOf(seed, scope, availableCommitment(available));
  const window = request.window ?? available.window;
  const next = { limit: newLimit, salt, window, ...keptOf(request) };
  const { oldAvailable, newAvailable, document } = availableParts(request, next);
  const changeNote =
    change === 0n ? { opening: { salt: 0n }, commitment: EMPTY_NOTE } : noteOf(seed, scope, account, asset, change);
  const draft = {
    kind: "make_available" as const,
    ...document,
    notes: notes.map(commitmentToHex),
    deposited: deposited.toString(),
    change_note: commitmentToHex(changeNote.commitment),
    ciphertext: await payerCopyOf(request, account, next, { amount: change, seed, tag }),
    nonce: request.nonce.toString(),
  };
  return makePlan<SignedMakeAvailable>(scope, draft, {
    notes,
    deposited,
    oldAvailable,
    newAvailable,
    changeNote: changeNote.commitment,
    amounts: slots.map((slot) => slot.amount),
    noteSalts: slots.map((slot) => slot.salt),
    oldLimit: available.limit,
    oldSalt: available.salt,
    oldSpent: available.window.spent,
    oldDay: available.window.day,
    newLimit,
    newSalt: salt,
    newSpent: window.spent,
    newDay: window.day,
    change,
    changeSalt: changeNote.opening.salt,
  });
}
