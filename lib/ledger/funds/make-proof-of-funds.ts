import { type AvailableOpening, availableCommitment, type NoteOpening, noteCommitment } from "../crypto/commitments";
import { ProofMismatch } from "../crypto/errors";
import type { Prove } from "../prepare/witness";
import type { FundsStatement } from "./funds-statement";
import { FUNDS_NOTES, fundsSignals, type ProofOfFunds } from "./proof-of-funds";

/** The openings of an asset that the owner has. */
interface DecryptedFunds {
  notes: readonly NoteOpening[];
  available: AvailableOpening;
}

/**
 * Returns what a proof counts: the 16 largest notes and the available balance. It counts all of them even if fewer
 * would do, because which of them suffice would reveal something about each.
 */
export function countedFunds({ notes, available }: DecryptedFunds): DecryptedFunds & { total: bigint } {
  const descending = [...notes].sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1));
  const counted = descending.slice(0, FUNDS_NOTES);
  return { notes: counted, available, total: counted.reduce((sum, { amount }) => sum + amount, available.limit) };
}

/**
 * Proves a statement with an account's notes and available balance, which must cover its minimum less its deposited
 * money.
 *
 * @throws ProofMismatch if the prover's public signals differ; what `prove` throws for a statement that is not true
 */
export async function makeProofOfFunds(
  statement: FundsStatement,
  opened: DecryptedFunds,
  prove: Prove,
): Promise<ProofOfFunds> {
  const { notes, available } = countedFunds(opened);
  const { limit, salt, window } = available;
  const commitments = notes.map((opening) => ({ ...opening, commitment: noteCommitment(opening) }));
  // The commitments are hashes, so sorting by them reveals nothing about the amounts.
  commitments.sort((a, b) => (a.commitment < b.commitment ? -1 : 1));
  const claim = {
    ...statement,
    notes: commitments.map(({ commitment }) => commitment),
    available: availableCommitment(available),
  };
  const signals = fundsSignals(claim);
  const empty = Array.from({ length: FUNDS_NOTES - commitments.length }, () => 0n);
  const { proof, publicSignals } = await prove("at-least", {
    notes: signals.slice(0, FUNDS_NOTES),
    available: claim.available,
    minimum: statement.minimum - statement.deposited,
    ctx: signals[FUNDS_NOTES + 2] ?? 0n,
    amounts: [...commitments.map(({ amount }) => amount), ...empty],
    noteSalts: [...commitments.map((note) => note.salt), ...empty],
    limit,
    ...window,
    salt,
  });
  if (publicSignals.join() !== signals.join()) throw new ProofMismatch();
  return { ...claim, proof };
}
