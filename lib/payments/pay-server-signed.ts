import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { type PolicyRead, policyTurn, tryReadPolicy } from "@/lib/agents/pending-policy";
import { newestState, syncRequired } from "@/lib/balances/lock";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { insufficientBalance } from "@/lib/base/payment-errors";
import { scopeOf } from "@/lib/chain/scope-of";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { hold } from "@/lib/payments/approvals/hold";
import { claimDetails } from "./claim-details";
import type { PaymentDetails } from "./details/payment-details";
import { enforcePolicy } from "./enforce-policy";
import { EXACT_DEADLINE, exactUnderPolicyOnly, oneTimeOf } from "./exact/one-time";
import { recordExact } from "./exact/record-exact";
import { FAILING_DEADLINE, failsAlways } from "./fails-always";
import type { CreatedTransfer } from "./paid-transfer";
import { payInTurn } from "./pay-in-turn";
import { type Move, paymentKindOf } from "./payment-kind";
import {
  decryptNewest,
  decryptPaymentSecrets,
  type PaymentSecrets,
  requireNothingCounted,
  tagOf,
} from "./payment-secrets";
import { type AroundPayment, inPaymentTransaction, sent } from "./payment-transaction";
import { type PayerRecord, readPayer } from "./read-payer";
import { recordTransfer } from "./record-transfer";
import { refuseAlreadyPaid } from "./refuse-repeated-notes";
import { notEnrolled } from "./resolve-signer";
import { PAYMENT_DEADLINE, type ServerSignedPayment } from "./server-signed-payment";
import { signLocked } from "./sign-locked";
import type { MadePayment } from "./waiting-payments";

/**
 * Makes a payment with what the API key unwraps (docs/protocol.md section 6), in one transaction under the locks of its
 * available balances: policy, funds, threshold, proof, signature, record. The secrets are wiped before this returns. A
 * move between an account and its own agent by the account's key is a `fund`, which no policy restricts. Payments of
 * one account that wait for its available balance share a proof ({@link payInTurn}).
 *
 * @throws ApiError `policy_violation`, `policy_not_in_force`, `insufficient_balance`, `sync_required`,
 *   `key_forbidden`, `rate_limited`, `unavailable`
 */
export async function payServerSigned(
  ctx: KeyContext,
  payment: ServerSignedPayment,
  around: AroundPayment<CreatedTransfer> = {},
): Promise<CreatedTransfer> {
  const scope = await scopeOf(ctx.chainId);
  const { payer, details, coming } = payment;
  const says = await (coming?.payer ?? readPayer(ctx.chainId, payer));
  const move = paymentKindOf(ctx, payment, says);
  if (move.isFund) requireNoBinding(payment);
  if (payment.exact && !move.hasPolicy) throw exactUnderPolicyOnly();
  const make = (tx: Tx, ledger: PolicyRead | Error | null) =>
    payLocked(tx, ctx, scope, payment, says, { ...move, ledger });
  const mayShare = says && !around.first && mayGoTogether(ctx, payment, says, move);
  const paying = mayShare
    ? sent(payInTurn(move.availableIds[0], scope, says, { ctx, payment, around }, (tx) => make(tx, null)))
    : inPaymentTransaction(
        ctx,
        {
          payer,
          details: [details],
          availableIds: move.availableIds,
          read: async () => (move.hasPolicy ? tryReadPolicy(ctx.chainId, payer) : null),
          turn: move.hasPolicy ? policyTurn(ctx.chainId, payer) : undefined,
          make,
        },
        around,
      );
  coming?.arrived();
  return paying;
}

async function payLocked(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  payment: ServerSignedPayment,
  says: PayerRecord | null,
  { isFund, ledger, availableIds: [availableId, toAvailableId] }: Move & { ledger: PolicyRead | Error | null },
): Promise<MadePayment> {
  const { chainId } = ctx;
  const { payer, asset, amount, receiver, confidential } = payment;
  const { recipient } = receiver;
  const claiming = { payer, recipient: recipient.address, asset: asset.address, confidential };
  const details = await claimDetails(tx, ctx, claiming, payment.details);
  // Pipelined: the queries run on one connection, without waiting in between.
  const reading = Promise.all([newestState(tx, availableId), toAvailableId && newestState(tx, toAvailableId)]);
  reading.catch(() => {});
  const secrets = await decryptPaymentSecrets(ctx, scope, payer, isFund ? recipient.address : null, tx);
  try {
    const [newest, toNewest] = await reading;
    if (newest.syncRequired || toNewest?.syncRequired) throw syncRequired();
    const available = decryptNewest(scope, availableId, newest, secrets.payer, secrets.secretVersion);
    const now = new Date();
    const mode = payment.approved ? SPEND_MODE.approved : SPEND_MODE.agent;
    const oneTime = payment.exact && oneTimeOf(scope, payment, payment.exact, secrets.payerAuthority);
    const through = oneTime?.receiver.recipient.address;
    const ruling = ledger
      ? await enforcePolicy(tx, { chainId, payer, asset, amount, recipient, through, ledger }, available, mode, now)
      : null;
    if (!ruling && !isFund) requireNothingCounted(available);
    if (amount > available.limit) throw insufficientBalance();
    const asked = { ...payment, tag: payment.tag ?? tagOf(ctx, scope, payer, secrets) };
    const tagged = oneTime ? { ...asked, seed: oneTime.seed, receiver: oneTime.receiver } : asked;
    if (ruling?.isOverThreshold && payment.seed) throw overThreshold();
    if (ruling?.isOverThreshold) {
      const seller = oneTime && recipient.address;
      return await holdPayment(tx, ctx, scope, { ...tagged, seller }, details, secrets, now);
    }
    if (!says) throw notEnrolled(chainId, payer);
    const { receiver: toSecret, secretVersion } = secrets;
    const toAvailable =
      toAvailableId && toNewest && toSecret && decryptNewest(scope, toAvailableId, toNewest, toSecret, secretVersion);
    const { document, verified } = await signLocked(scope, tagged, says, secrets, {
      available,
      limited: ruling && { mode, key: ruling.key, terms: ruling.terms, counters: ruling.counters },
      fund: toAvailable ? { toAvailable, toSecret } : null,
      deadline: deadlineOf(chainId, payment, now, ruling?.terms.latest),
    });
    if (payment.seed) await refuseAlreadyPaid(tx, chainId, document);
    const authorized = await oneTime?.authorize(now);
    const { operation, view } = await recordTransfer(tx, {
      chainId,
      payer,
      recipient: tagged.receiver.recipient,
      to: payment.to,
      details,
      document,
      recipientProof: ruling?.terms.recipientProof,
      secretVersion,
      keyId: ctx.keyId,
      clientSigned: false,
      follows: [...(ruling?.terms.follows ?? []), ...newest.madeBy, ...(toNewest?.madeBy ?? [])],
      afterRecipient: confidential && receiver.key?.pending === true,
    });
    const exact = authorized && (await recordExact(tx, view.row, authorized));
    await verified;
    return { created: { outcome: "paid", transfer: view, ...(exact && { exact }) }, operations: [operation] };
  } finally {
    secrets.wipe();
  }
}

/** Refuses a binding: a move between own balances has no recipient's copy that could carry it. */
function requireNoBinding({ binding }: ServerSignedPayment): void {
  if (!binding) return;
  throw new ApiError(
    "invalid_request",
    "Money between an account and its own agent carries no binding. Leave it out.",
    {
      param: "binding",
    },
  );
}

/**
 * Returns the error for a payment above the threshold that must be made by a certain time. It can't wait for approval,
 * so the wallet has to pay it.
 */
function overThreshold(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This payment is above the approval threshold of your keys. Pay it with the wallet: in the dashboard or with the SDK.",
  );
}

/** Returns the deadline. A payment that the ledger counts on a day must be mined on that day. */
function deadlineOf(
  chainId: ChainId,
  { deadlineSeconds, receiver, exact }: ServerSignedPayment,
  now: Date,
  latest: bigint | undefined,
): bigint {
  const lasting = exact ? EXACT_DEADLINE : PAYMENT_DEADLINE;
  const usual = failsAlways(chainId, receiver.recipient) ? FAILING_DEADLINE : lasting;
  const deadline = BigInt(Math.floor(now.getTime() / 1000) + (deadlineSeconds ?? usual));
  return latest !== undefined && latest < deadline ? latest : deadline;
}

/** With the seller it is for, if its receiver is a one-time address. */
type PaymentToHold = ServerSignedPayment & { seller: Address | undefined };

/**
 * Holds a payment for its owner: the funds are there and the rules allow it, but it exceeds what the agent may decide.
 */
async function holdPayment(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  { payer, to, receiver, asset, amount, memo, tag, binding, confidential, seed, seller }: PaymentToHold,
  details: PaymentDetails,
  { payer: agentSecret, heldPublicKey, secretVersion }: PaymentSecrets,
  now: Date,
): Promise<MadePayment> {
  const held = await hold(
    tx,
    ctx,
    scope,
    {
      agent: payer,
      to,
      recipientAddress: receiver.recipient.address,
      asset,
      amount,
      memo,
      tag,
      binding,
      details,
      kind: confidential ? "transfer" : "release",
      // The seed from which its one-time address is derived.
      seed,
      seller,
    },
    { agentSecret, heldPublicKey, secretVersion },
    now,
  );
  return { created: { outcome: "held", held }, operations: [] };
}

/**
 * Reports whether a payment may share a proof with other payments of its account. It must be a confidential payment of
 * the key's own account, which has not turned batches off and is under no policy, to a recipient that can certainly be
 * paid. Payments that are found again by their own seed or copy are paid on their own: approvals, runs of schedules,
 * refunds.
 */
function mayGoTogether(
  ctx: KeyContext,
  { payer, confidential, receiver, seed, tag, details, deadlineSeconds }: ServerSignedPayment,
  says: PayerRecord | null,
  { isFund, hasPolicy }: Move,
): boolean {
  const isPlain = confidential && !isFund && !hasPolicy && payer.id === ctx.account.id && payer.type !== "agent";
  const isFree = !seed && !tag && !details?.refund && deadlineSeconds === undefined && ctx.scheduleId === undefined;
  const isSure = receiver.key?.pending === false && !failsAlways(ctx.chainId, receiver.recipient);
  return isPlain && isFree && isSure && says?.batches === true;
}
