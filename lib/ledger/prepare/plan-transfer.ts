import { availableCommitment } from "../crypto/commitments";
import { commitmentToHex } from "../crypto/field";
import { availableSaltOf } from "../crypto/payment-seed";
import { NO_WINDOW } from "../crypto/window";
import type { SignedTransfer } from "./documents";
import { lowerCase } from "./next-state";
import { noteOf, noteParts } from "./note-parts";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { assertNotLimited, limitAfter, type NotePaymentRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/**
 * Plans a confidential payment of an account without a policy: the available balance minus the amount, a note of
 * exactly the amount, both copies, the memo, and the next encrypted state. To retry, call it again with the same seed,
 * recipient and amount and the newer available balance, which results in the same note.
 *
 * @throws InvalidUnits, InsufficientAvailableBalance, UnusableViewingKey, InvalidMemo; LedgerError for an available
 *   balance under a policy
 */
export async function planTransfer(request: NotePaymentRequest): Promise<Plan<SignedTransfer>> {
  const { scope, amount, available } = request;
  assertNotLimited(available);
  const { seed, tag } = seedAndTag(request);
  const limit = limitAfter(available.limit, amount);
  const salt = availableSaltOf(seed, scope, availableCommitment(available));
  const next = { limit, salt, window: NO_WINDOW, ...keptOf(request) };
  const madeBy = request.blind && commitmentToHex(noteOf(seed, scope, request.to, request.asset, amount).commitment);
  const { oldAvailable, newAvailable, document } = availableParts(request, next, madeBy);
  // Encryption is asynchronous, so run both concurrently.
  const [note, payerCopy] = await Promise.all([
    noteParts(seed, request),
    payerCopyOf(request, request.account, next, { amount, seed, tag }),
  ]);
  const draft = {
    kind: "transfer" as const,
    ...document,
    to: lowerCase(request.to),
    policy_version: request.policyVersion.toString(),
    payer_ciphertext: payerCopy,
    ...note.document,
  };
  return makePlan<SignedTransfer>(scope, draft, {
    oldAvailable,
    newAvailable,
    note: note.commitment,
    limit: available.limit,
    oldSalt: available.salt,
    newSalt: salt,
    amount,
    noteSalt: note.opening.salt,
  });
}
