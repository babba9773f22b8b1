import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/assets";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import type { KeyContext } from "@/lib/context/context";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import type { BudgetOpening } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { PreparedTransferMany } from "@/lib/ledger/prepare/documents";
import type { Plan } from "@/lib/ledger/prepare/plan";
import { type BatchPayment, planTransferMany, type TransferManyRequest } from "@/lib/ledger/prepare/plan-transfer-many";
import { openBudgetState } from "@/lib/ledger/seal/budget-state";
import type { SubmittedOperation } from "@/lib/operations/submit-operation";
import { insufficientBalance } from "@/lib/payment-errors";
import { claimBatch, type DetailsToClaim } from "./claim-details";
import type { Receiver } from "./find-receiver";
import { isPaidBefore } from "./paid-before";
import { openNewest, openSecrets, type PaymentSecrets, requireNothingCounted, tagOf } from "./payment-secrets";
import { proveBatch } from "./prove-payment";
import type { PayerRecord } from "./read-payer";
import { recordBatch } from "./record-transfer";
import { madeBefore } from "./refuse-approved";
import { resolveSigner } from "./resolve-signer";
import { PAYMENT_DEADLINE } from "./server-signed-payment";
import type { TransferView } from "./transfer-view";

/** One of the payments; its receiver is found, its amount in units. */
export interface BatchedPayment {
  receiver: Receiver;
  to: string;
  amount: bigint;
  memo?: string | undefined;
  /** What it says beside its money. */
  details?: DetailsToClaim | undefined;
  /** 32 bytes that say what it is for. */
  binding?: Uint8Array | undefined;
  /** The request that asked for it, where each payment has one of its own: its key, and the tag that finds it again. */
  asked?: KeyContext;
}

/** What is paid with one proof for each batch. */
export interface LockedBatches {
  scope: Scope;
  says: PayerRecord;
  asset: Asset;
  /** 2 to 16 payments each; a batch spends what the one before it leaves. */
  batches: readonly (readonly BatchedPayment[])[];
  /** Of a single batch, fixed before: however often it is paid, its notes are the same. A random one when left out. */
  seed?: Uint8Array | undefined;
  /** With `seed`, where it is not the request's. */
  tag?: Uint8Array | undefined;
}

/** A batch that is recorded. */
export interface RecordedBatch {
  operation: SubmittedOperation;
  views: TransferView[];
}

/**
 * Pays from the budget of the key's own account with one proof for each batch, all of them at once, in the caller's
 * transaction, which holds the budget's lock: all of them or none. Broadcast the operations once that has committed.
 *
 * @throws transaction_not_found when they were paid before, insufficient_balance, reseal_required, rate_limited, unavailable
 */
export async function payBatchesLocked(
  tx: Tx,
  ctx: KeyContext,
  { scope, says, asset, batches, seed, tag }: LockedBatches,
): Promise<RecordedBatch[]> {
  const { chainId, account: payer } = ctx;
  const payments = batches.flat();
  const claimed = await claimBatch(
    tx,
    payments.map(({ receiver, details, asked = ctx }) => ({
      ctx: asked,
      payment: { payer, recipient: receiver.recipient.address, asset: asset.address, confidential: true },
      details,
    })),
  );
  const budgetId = { chainId, account: payer.address, asset: asset.address };
  const newest = await newestState(tx, budgetId);
  if (newest.resealRequired) throw resealRequired();
  const secrets = await openSecrets(ctx, scope, payer, null, tx);
  try {
    const budget = openNewest(scope, budgetId, newest, secrets.payer, secrets.secretVersion);
    const tags = await tagsOf(tx, ctx, scope, payments, secrets);
    if (tags) requireNothingCounted(budget);
    if (payments.reduce((sum, { amount }) => sum + amount, 0n) > budget.limit) throw insufficientBalance();
    const deadline = BigInt(Math.floor(Date.now() / 1000) + PAYMENT_DEADLINE);
    const { privateKey } = resolveSigner(scope, payer, says.party, secrets, { isPublic: false, ruled: null, deadline });
    const common = {
      scope,
      account: payer.address,
      asset: asset.address,
      deadline,
      policyVersion: says.party.record.policyVersion,
      payerViewingKey: says.viewingKey,
      secret: secrets.payer,
      seed,
      tag: tags ? undefined : (tag ?? tagOf(ctx, scope, payer, secrets)),
    };
    const plans = await planBatches(common, budget, inBatches(batches, payments.map(toPlan(tags))));
    const documents = await Promise.all(plans.map((plan) => proveBatch(plan, privateKey)));
    const details = inBatches(batches, claimed);
    const recorded: RecordedBatch[] = [];
    for (const [at, document] of documents.entries()) {
      const batch = batches[at] ?? [];
      // Paid before, whatever rows say: the ledger would refuse it.
      if (seed && (await isPaidBefore(tx, chainId, document))) throw madeBefore();
      const before = recorded.at(-1);
      recorded.push(
        await recordBatch(tx, {
          chainId,
          payer,
          payees: batch.map(({ receiver, to, asked }, index) => ({
            recipient: receiver.recipient,
            to,
            details: details[at]?.[index],
            keyId: asked?.keyId,
          })),
          document,
          secretVersion: secrets.secretVersion,
          keyId: ctx.keyId,
          prepared: false,
          follows: before ? [before.operation.id] : newest.madeBy,
          after: batch.find(({ receiver }) => receiver.key?.pending)?.receiver.recipient.address,
        }),
      );
    }
    return recorded;
  } finally {
    secrets.wipe();
  }
}

const toPlan =
  (tags: readonly Uint8Array[] | null) =>
  ({ receiver: { recipient, key }, amount, memo, binding }: BatchedPayment, index: number): BatchPayment => {
    if (!key) throw new Error("a payment of a batch lacks its recipient's key");
    return { to: recipient.address, amount, recipientViewingKey: key.viewingKey, memo, binding, tag: tags?.[index] };
  };

/** What belongs to payments in a row, divided as they are. */
function inBatches<T>(batches: readonly (readonly unknown[])[], list: readonly T[]): T[][] {
  let from = 0;
  return batches.map(({ length }) => {
    from += length;
    return list.slice(from - length, from);
  });
}

/** Plans batches one after the other: each spends the budget that the one before it leaves. */
async function planBatches(
  common: Omit<TransferManyRequest, "budget" | "payments">,
  first: BudgetOpening,
  batches: readonly (readonly BatchPayment[])[],
): Promise<Plan<PreparedTransferMany>[]> {
  const { scope, account, asset, secret } = common;
  const plans: Plan<PreparedTransferMany>[] = [];
  let budget = first;
  for (const payments of batches) {
    const plan = await planTransferMany({ ...common, budget, payments });
    const { new_budget: word, next_state: state } = plan.draft;
    budget = openBudgetState(secret, { scope, account, asset, commitment: hexToWord(word) }, fromHex(state.sealed));
    plans.push(plan);
  }
  return plans;
}

/**
 * The tags of payments that have a request each; null of payments that one request asks for. Their keys are opened now:
 * one that has been revoked meanwhile, or wraps something else, pays nothing.
 */
async function tagsOf(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  payments: readonly BatchedPayment[],
  secrets: PaymentSecrets,
): Promise<Uint8Array[] | null> {
  const asking = payments.flatMap(({ asked }) => asked ?? []);
  if (asking.length === 0) return null;
  const others = new Map(asking.map((asked) => [asked.keyId, asked]));
  others.delete(ctx.keyId);
  for (const other of others.values()) {
    const { secret, secretVersion } = await other.unwrap(tx);
    const isSame = secretVersion === secrets.secretVersion && equalBytes(secret, secrets.payer);
    secret.fill(0);
    if (!isSame) throw resealRequired();
  }
  return payments.map(({ asked }) => (asked && tagOf(asked, scope, ctx.account, secrets)) ?? newRequestTag());
}
