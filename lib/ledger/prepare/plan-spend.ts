import { commitmentToHex } from "../crypto/field";
import { encryptAmount, noteRatchet } from "../crypto/ratchet";
import type { SignedSpend } from "./documents";
import { type LimitedTerms, limitedStep } from "./limited-step";
import { lowerCase } from "./next-state";
import { noteParts } from "./note-parts";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { type NotePaymentRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/**
 * Plans a confidential payment from an available balance under a policy. The signer can't choose the new available
 * balance's salt: it is derived from the old one and the note. To retry, call it again with the same seed, recipient
 * and amount and the newer available balance, which results in the same note.
 *
 * @throws RefusedByPolicy, InvalidUnits, InsufficientAvailableBalance, UnusableViewingKey, InvalidMemo; LedgerError if
 *   terms, policy and deadline don't fit together
 */
export async function planSpend(request: NotePaymentRequest & LimitedTerms): Promise<Plan<SignedSpend>> {
  const { scope, amount, available } = request;
  const { seed, tag } = seedAndTag(request);
  const step = limitedStep(request, request);
  const note = await noteParts(seed, request);
  const { salt, pad } = noteRatchet(available.salt, note.commitment);
  const next = { limit: step.limit, salt, window: step.window, ...keptOf(request) };
  const { oldAvailable, newAvailable, document } = availableParts(
    request,
    next,
    request.blind && commitmentToHex(note.commitment),
  );
  const encrypted = encryptAmount(amount, pad);
  const draft = {
    kind: "spend" as const,
    ...document,
    to: lowerCase(request.to),
    policy_version: request.policyVersion.toString(),
    payer_ciphertext: await payerCopyOf(request, request.account, next, { amount, seed, tag }),
    ...note.document,
    ...step.document,
    encrypted_amount: commitmentToHex(encrypted),
  };
  const noteSalt = note.opening.salt;
  return makePlan<SignedSpend>(scope, draft, {
    oldAvailable,
    newAvailable,
    note: note.commitment,
    encrypted,
    noteSalt,
    ...step.input,
  });
}
