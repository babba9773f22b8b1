import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/assets";
import { isNoteTaken } from "@/lib/budgets/check-prepared";
import { type BudgetId, newestState, resealRequired } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope-of";
import type { BeforeCommit, ContextAccount, KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { PaymentRequest } from "@/lib/ledger/prepare/payment-request";
import type { SubmittedOperation } from "@/lib/operations/submit-operation";
import { insufficientBalance } from "@/lib/payment-errors";
import { hold } from "@/lib/transfers/held/hold";
import { enforcePolicy } from "./enforce-policy";
import { isOwnersAct, isOwnMove } from "./find-payer";
import type { Receiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import { openNewest, openSecrets, type PaymentSecrets } from "./payment-secrets";
import { proveFund, provePayment } from "./prove-payment";
import { recordTransfer } from "./record-transfer";
import { type PayerRecord, readPayer, resolveSigner } from "./resolve-signer";

/** How long the ledger may take a plain payment: while it lasts a failed attempt is made again. Seconds. */
const PAYMENT_DEADLINE = 3_600;

/** A payment the service proves and signs; its receiver is found, its amount in units. */
export interface ServerSignedPayment {
  /** The key's account or agent, or an agent of its account. */
  payer: ContextAccount;
  asset: Asset;
  amount: bigint;
  receiver: Receiver;
  confidential: boolean;
  /** As the caller wrote it. */
  to: string;
  memo: string | undefined;
  /** Of an approved payment: the one it was held with, so that approving it again makes the same note. */
  seed?: Uint8Array;
  /** How long the ledger may take it; an hour when left out. */
  deadlineSeconds?: number;
}

/** What else happens in the payment's transaction. */
export interface PaymentHooks {
  /** Runs first, before any budget is locked: an approval locks the held payment. */
  first?: (tx: Tx) => Promise<void>;
  /** The owner has approved it: the threshold does not hold it again. */
  approved?: boolean;
  /** Runs last, when every other lock is taken. */
  beforeCommit?: BeforeCommit<CreatedTransfer>;
}

/** How a payment moves. */
interface Move {
  /** Between an account and its own agent. */
  isFund: boolean;
  /** An agent pays others: its policy rules, its own wallet signs. */
  hasPolicy: boolean;
  /** The payer's budget, then of a `fund` the receiver's. */
  budgetIds: [BudgetId, ...BudgetId[]];
}

/**
 * Makes a payment with what the API key unwraps (docs/protocol.md section 6), in one transaction under the locks of its
 * budgets: policy, funds, threshold, proof, signature, record. The secrets are wiped before this returns. What moves
 * between an account and its own agent by the account's key is a `fund`, which no policy rules.
 *
 * @throws policy_violation, insufficient_balance, reseal_required, key_forbidden, rate_limited, unavailable
 */
export async function payServerSigned(
  ctx: KeyContext,
  payment: ServerSignedPayment,
  { first, approved = false, beforeCommit = async () => {} }: PaymentHooks = {},
): Promise<CreatedTransfer> {
  const scope = await scopeOf(ctx.chainId);
  const move = moveOf(ctx, payment, approved);
  const says = await readPayer(ctx.chainId, payment.payer);
  const { created, operation } = await withBudgets(
    move.budgetIds,
    async (tx) => {
      const outcome = await payLocked(tx, ctx, scope, payment, says, move, approved);
      await beforeCommit(tx, outcome.created);
      return outcome;
    },
    { first },
  );
  if (operation) broadcast(operation);
  return created;
}

/** Whether an agent pays others, or by its own key: its policy rules that. */
export function hasPolicy(ctx: KeyContext, { payer, receiver: { recipient } }: ServerSignedPayment): boolean {
  return payer.type === "agent" && !(isOwnersAct(ctx) && isOwnMove(payer, recipient));
}

/** What an agent asked for itself stays a payment under its policy also when the owner's key approves it. */
function moveOf(ctx: KeyContext, payment: ServerSignedPayment, approved: boolean): Move {
  const { payer, receiver, asset, confidential } = payment;
  const { recipient } = receiver;
  const isFund = !approved && confidential && isOwnersAct(ctx) && isOwnMove(payer, recipient);
  const budgetId = { chainId: ctx.chainId, account: payer.address, asset: asset.address };
  return {
    isFund,
    hasPolicy: approved || hasPolicy(ctx, payment),
    budgetIds: isFund ? [budgetId, { ...budgetId, account: recipient.address }] : [budgetId],
  };
}

interface Made {
  created: CreatedTransfer;
  /** Null when it is held. */
  operation: SubmittedOperation | null;
}

async function payLocked(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  payment: ServerSignedPayment,
  says: PayerRecord | null,
  { isFund, hasPolicy: underPolicy, budgetIds: [budgetId, toBudgetId] }: Move,
  approved: boolean,
): Promise<Made> {
  const { payer, asset, amount, receiver, confidential } = payment;
  const { recipient } = receiver;
  const newest = await newestState(tx, budgetId);
  const toNewest = toBudgetId && (await newestState(tx, toBudgetId));
  if (newest.resealRequired || toNewest?.resealRequired) throw resealRequired();
  const secrets = await openSecrets(ctx, scope, payer, isFund ? recipient.address : null, tx);
  try {
    const budget = openNewest(scope, budgetId, newest, secrets.payer, secrets.secretVersion);
    const now = new Date();
    const decision = underPolicy
      ? await enforcePolicy(tx, { payer, asset, amount, recipient }, budget, approved, now)
      : null;
    if (amount > budget.limit) throw insufficientBalance();
    if (decision?.isOverThreshold) return await holdPayment(tx, ctx, scope, payment, secrets, now);
    const deadline = BigInt(Math.floor(Date.now() / 1000) + (payment.deadlineSeconds ?? PAYMENT_DEADLINE));
    const { privateKey, viewingKey } = resolveSigner(scope, payer, says, secrets, decision, deadline);
    const request: PaymentRequest = {
      scope,
      account: payer.address,
      to: recipient.address,
      asset: asset.address,
      budget,
      amount,
      deadline,
      payerViewingKey: viewingKey,
      secret: secrets.payer,
      counters: decision?.counters,
      memo: payment.memo,
      seed: payment.seed,
    };
    const { receiver: toSecret, secretVersion } = secrets;
    const toBudget =
      toBudgetId && toNewest && toSecret && openNewest(scope, toBudgetId, toNewest, toSecret, secretVersion);
    const document = toBudget
      ? await proveFund({ ...request, toBudget, toSecret }, privateKey)
      : await provePayment(confidential, request, receiver.key?.viewingKey, privateKey);
    // Approved before, whatever its row says: the ledger would refuse it.
    if (payment.seed && (await isNoteTaken(tx, ctx.chainId, document))) {
      throw new ApiError("transaction_not_found", "This payment was made before. Look at the agent's transfers.");
    }
    const { operation, view } = await recordTransfer(tx, {
      chainId: ctx.chainId,
      payer,
      recipient,
      to: payment.to,
      document,
      secretVersion,
      keyId: ctx.keyId,
      prepared: false,
      follows: [...newest.madeBy, ...(toNewest?.madeBy ?? [])],
      afterRecipient: confidential && receiver.key?.pending === true,
    });
    return { created: { outcome: "paid", transfer: view }, operation };
  } finally {
    secrets.wipe();
  }
}

/** Leaves it to the owner: the funds are there and the rules allow it, but it is more than the agent may decide. */
async function holdPayment(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  { payer, to, receiver, asset, amount, memo, confidential }: ServerSignedPayment,
  { payer: agentSecret, heldPublicKey, secretVersion }: PaymentSecrets,
  now: Date,
): Promise<Made> {
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
      kind: confidential ? "transfer" : "release",
    },
    { agentSecret, heldPublicKey, secretVersion },
    now,
  );
  return { created: { outcome: "held", held }, operation: null };
}
