import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment, EMPTY_NOTE } from "../crypto/commitments";
import { epochBatchSeed } from "../crypto/epoch-seed";
import { LedgerError } from "../crypto/errors";
import { assertUnits, commitmentToHex } from "../crypto/field";
import { availableSaltOf } from "../crypto/payment-seed";
import { BATCH_PAYMENTS, encryptBatchCopy, seedInBatch } from "../encrypted/batch-copy";
import type { SignedTransferMany } from "./documents";
import { lowerCase } from "./next-state";
import { type NoteParts, noteOf, noteParts } from "./note-parts";
import { availableParts, keptOf } from "./payer-parts";
import { type AvailableRequest, limitAfter, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

const LEAST_PAYMENTS = 2;

/** One payment of a batch. Amounts in units. */
export interface BatchPayment {
  to: Address;
  amount: bigint;
  /** X of the recipient, as the ledger has it. */
  recipientViewingKey: Uint8Array;
  memo?: string;
  binding?: Uint8Array;
  /** The tag of the request that asked for this payment, if the batch serves several requests. */
  tag?: Uint8Array;
}

/**
 * 2 to 16 payments from one available balance. A retry must keep the seed, the payments and their order. With `epoch`,
 * each payment's note is that of its own tag, alone and in any batch, and there is no `seed`.
 */
interface TransferManyRequest extends AvailableRequest {
  payments: readonly BatchPayment[];
  /** The payer's policy version in the ledger's record. */
  policyVersion: bigint;
}

/** A plan with the opening of the available balance after it, from which a further batch can spend. */
interface BatchPlan extends Plan<SignedTransferMany> {
  next: AvailableOpening;
}

/**
 * Plans 2 to 16 confidential payments in one proof. Each payment has its own note, even two of the same amount to one
 * recipient. The available balance's window stays as it is. For an account or agent under a policy, only the wallet can
 * sign it.
 *
 * @throws InvalidUnits, InsufficientAvailableBalance, UnusableViewingKey, InvalidMemo; LedgerError for another number
 *   of payments
 */
export async function planTransferMany(request: TransferManyRequest): Promise<BatchPlan> {
  const { scope, account, asset, available, payments } = request;
  if (payments.length < LEAST_PAYMENTS || payments.length > BATCH_PAYMENTS) {
    throw new LedgerError("A batch makes 2 to 16 payments.");
  }
  for (const { amount } of payments) assertUnits(amount, 1n);
  const { seed: own, tag } = seedAndTag(request);
  const { epoch } = request;
  const tags = Array.from({ length: BATCH_PAYMENTS }, (_, index) => payments[index]?.tag ?? tag);
  const seed = epoch ? epochBatchSeed(epoch, scope, tags) : own;
  const marks = { seed, tags, ...(epoch && { epoch }) };
  const limit = payments.reduce((left, { amount }) => limitAfter(left, amount), available.limit);
  const salt = availableSaltOf(seed, scope, availableCommitment(available));
  const next = { limit, salt, window: available.window, ...keptOf(request) };
  const [first] = payments;
  const madeBy =
    request.blind &&
    first &&
    commitmentToHex(noteOf(seedInBatch(marks, scope, 0), scope, first.to, asset, first.amount).commitment);
  const { oldAvailable, newAvailable, document } = availableParts(request, next, madeBy);
  // Encryption is asynchronous, so run all of it concurrently.
  const made = await Promise.all(
    payments.map(async (payment, index): Promise<{ to: Address } & NoteParts> => {
      const parts = await noteParts(seedInBatch(marks, scope, index), { ...payment, scope, asset });
      return { to: lowerCase(payment.to), ...parts };
    }),
  );
  const slot = <T>(of: (part: (typeof made)[number]) => T, empty: T): T[] =>
    Array.from({ length: BATCH_PAYMENTS }, (_, index) => {
      const part = made[index];
      return part ? of(part) : empty;
    });
  const amounts = slot(({ opening }) => opening.amount, 0n);
  const ref = { scope, account, asset, commitment: newAvailable };
  const copy = { limit, window: next.window, ...marks, amounts };
  const draft = {
    kind: "transfer_many" as const,
    ...document,
    policy_version: request.policyVersion.toString(),
    payments: made.map(({ to, document: parts }) => ({ to, ...parts })),
    payer_ciphertext: toHex(await encryptBatchCopy(request.payerViewingKey, ref, copy)),
  };
  const plan = makePlan<SignedTransferMany>(scope, draft, {
    oldAvailable,
    newAvailable,
    notes: slot(({ commitment }) => commitment, EMPTY_NOTE),
    limit: available.limit,
    spent: available.window.spent,
    day: available.window.day,
    oldSalt: available.salt,
    newSalt: salt,
    amounts,
    noteSalts: slot(({ opening }) => opening.salt, 0n),
  });
  return { ...plan, next };
}
