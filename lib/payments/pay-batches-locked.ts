import type { Tx } from "@/db/client";
import { newestState, syncRequired } from "@/lib/balances/lock";
import type { Asset } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { insufficientBalance } from "@/lib/base/payment-errors";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { type BatchPayment, planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { type ClaimOfBatch, claimBatch, type DetailsToClaim } from "./claim-details";
import type { PaymentDetails } from "./details/payment-details";
import type { Receiver } from "./find-receiver";
import {
  decryptNewest,
  decryptPaymentSecrets,
  type PaymentSecrets,
  requireNothingCounted,
  tagOf,
} from "./payment-secrets";
import { type Proven, proveBatch } from "./prove-payment";
import type { PayerRecord } from "./read-payer";
import { recordBatch } from "./record-transfer";
import { refuseAlreadyPaid } from "./refuse-repeated-notes";
import { resolveSigner } from "./resolve-signer";
import { PAYMENT_DEADLINE } from "./server-signed-payment";
import type { TransferView } from "./transfer-view";

/** One of the payments, with its receiver and its amount in units. */
export interface BatchedPayment {
  receiver: Receiver;
  to: string;
  amount: bigint;
  memo?: string | undefined;
  /** Its details, such as a reference. */
  details?: DetailsToClaim | undefined;
  /** 32 bytes that identify what it is for. */
  binding?: Uint8Array | undefined;
  /**
   * If each payment comes from its own request: that request's context, with its idempotency key, from which the tag
   * follows.
   */
  asked?: KeyContext;
}

/** Payments that are made with one proof per batch. */
interface LockedBatches {
  scope: Scope;
  says: PayerRecord;
  asset: Asset;
  /**
   * 2 to 16 payments each. A batch spends what the previous one leaves. The next batch is requested once the previous
   * one's proof has started.
   */
  batches: Iterable<readonly BatchedPayment[]>;
  /**
   * Fixed in advance for a single batch, so that its notes are the same however often it is paid. Random by default.
   */
  seed?: Uint8Array | undefined;
  /** Set with `seed`, if it is not the request's tag. */
  tag?: Uint8Array | undefined;
}

/** A batch that is recorded. */
interface RecordedBatch {
  operation: SubmittedOperation;
  views: TransferView[];
}

/** A batch that is being proved. */
interface StartedBatch {
  batch: readonly BatchedPayment[];
  details: readonly PaymentDetails[];
  proving: Promise<Proven<SignedTransferMany>>;
}

/**
 * Pays from the available balance of the key's own account, with one proof per batch, in the caller's transaction,
 * which must hold the available balance's lock. Pays all or none. While a batch is proved, the next one is planned.
 * Broadcast the operations once the transaction has committed.
 *
 * @throws AlreadyPaid when notes fixed by `seed` exist; ApiError `insufficient_balance`, `sync_required`,
 *   `rate_limited`, `unavailable`
 */
export async function payBatchesLocked(tx: Tx, ctx: KeyContext, locked: LockedBatches): Promise<RecordedBatch[]> {
  const { chainId, account: payer } = ctx;
  const availableId = { chainId, account: payer.address, asset: locked.asset.address };
  // Pipelined: both queries run on one connection, without waiting in between.
  const reading = newestState(tx, availableId);
  reading.catch(() => {});
  const secrets = await decryptPaymentSecrets(ctx, locked.scope, payer, null, tx);
  try {
    const newest = await reading;
    if (newest.syncRequired) throw syncRequired();
    const available = decryptNewest(locked.scope, availableId, newest, secrets.payer, secrets.secretVersion);
    const started = await startBatches(tx, ctx, locked, available, secrets);
    // Await all proofs before taking a relayer's nonce, for which other payments wait.
    const proven = await Promise.all(started.map(({ proving }) => proving));
    const recorded: RecordedBatch[] = [];
    for (const [at, { batch, details }] of started.entries()) {
      const document = proven[at]?.document;
      if (!document) throw new Error("a batch without its document");
      if (locked.seed) await refuseAlreadyPaid(tx, chainId, document);
      const before = recorded.at(-1);
      recorded.push(
        await recordBatch(tx, {
          chainId,
          payer,
          payees: batch.map(({ receiver, to, asked }, index) => ({
            recipient: receiver.recipient,
            to,
            details: details[index],
            keyId: asked?.keyId,
          })),
          document,
          secretVersion: secrets.secretVersion,
          keyId: ctx.keyId,
          clientSigned: false,
          follows: before ? [before.operation.id] : newest.madeBy,
          after: batch.find(({ receiver }) => receiver.key?.pending)?.receiver.recipient.address,
        }),
      );
    }
    await Promise.all(proven.map(({ verified }) => verified));
    return recorded;
  } finally {
    secrets.wipe();
  }
}

/** Claims, plans and signs batches one after the other, and starts each proof as soon as its plan exists. */
async function startBatches(
  tx: Tx,
  ctx: KeyContext,
  { scope, says, asset, batches, seed, tag }: LockedBatches,
  first: AvailableOpening,
  secrets: PaymentSecrets,
): Promise<StartedBatch[]> {
  const { account: payer } = ctx;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + PAYMENT_DEADLINE);
  const { privateKey } = resolveSigner(scope, payer, says.party, secrets, { isPublic: false, limited: null, deadline });
  const claims: ClaimOfBatch[] = [];
  const started: StartedBatch[] = [];
  let available = first;
  for (const batch of batches) {
    const claiming = batch.map(({ receiver, details, asked = ctx }) => ({
      ctx: asked,
      payment: { payer, recipient: receiver.recipient.address, asset: asset.address, confidential: true },
      details,
    }));
    const details = await claimBatch(tx, claiming, claims);
    claims.push(...claiming);
    const tags = await tagsOf(tx, ctx, scope, batch, secrets);
    if (tags) requireNothingCounted(available);
    if (batch.reduce((sum, { amount }) => sum + amount, 0n) > available.limit) throw insufficientBalance();
    const plan = await planTransferMany({
      scope,
      account: payer.address,
      asset: asset.address,
      available,
      payments: batch.map(toPlan(tags)),
      deadline,
      policyVersion: says.party.record.policyVersion,
      payerViewingKey: says.viewingKey,
      secret: secrets.payer,
      seed,
      tag: tags ? undefined : (tag ?? tagOf(ctx, scope, payer, secrets)),
    });
    available = plan.next;
    const proving = proveBatch(plan, privateKey);
    // If a later batch is refused, no one awaits this proof.
    proving.catch(() => {});
    started.push({ batch, details, proving });
  }
  return started;
}

const toPlan =
  (tags: readonly Uint8Array[] | null) =>
  ({ receiver: { recipient, key }, amount, memo, binding }: BatchedPayment, index: number): BatchPayment => {
    if (!key) throw new Error("a payment of a batch lacks its recipient's key");
    return { to: recipient.address, amount, recipientViewingKey: key.viewingKey, memo, binding, tag: tags?.[index] };
  };

/**
 * Returns the tags of payments that come from separate requests; null for payments of a single request. Their keys are
 * unwrapped now: a key that was revoked in the meantime, or wraps something else, can't pay.
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
    const { secret, authority, secretVersion } = await other.unwrap(tx);
    authority.fill(0);
    const isSame = secretVersion === secrets.secretVersion && equalBytes(secret, secrets.payer);
    secret.fill(0);
    if (!isSame) throw syncRequired();
  }
  return payments.map(({ asked }) => (asked && tagOf(asked, scope, ctx.account, secrets)) ?? newRequestTag());
}
