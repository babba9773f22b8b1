import { and, eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import type { Asset } from "@/lib/base/assets";
import { isoTime } from "@/lib/base/clock";
import type { ContextAccount, KeyContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { appendEvents } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { newSeed } from "@/lib/ledger/crypto/payment-seed";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { encryptHeld, type HeldPayment } from "@/lib/ledger/encrypted/held";
import { sellerBinding } from "@/lib/ledger/exact/seller-binding";
import type { PaymentDetails } from "@/lib/payments/details/payment-details";
import { policyViolation } from "@/lib/policy/policy-violation";
import { waits } from "./list-pending";

/** A held payment as its owner and its agent see it. Contains no amount and no memo. */
export interface HeldView {
  id: string;
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Without @. */
  agentHandle: string;
  /** As the agent specified it. */
  to: string;
  /** `release`: the amount would be public. */
  kind: "transfer" | "release";
  requestedAt: Date;
  expiresAt: Date;
  reference: string | null;
  refundOf: string | null;
  paymentRequestId: string | null;
}

/** A payment to hold. */
interface PaymentToHold {
  /** The payer: an agent, or an account whose own policy the payment exceeds. */
  agent: ContextAccount;
  /** As the caller specified it, and the address it stands for now (lower case). */
  to: string;
  recipientAddress: HeldPayment["to"];
  asset: Asset;
  amount: bigint;
  memo: string | undefined;
  /** The request's tag; a random one by default. */
  tag: Uint8Array | undefined;
  binding: Uint8Array | undefined;
  details: Pick<PaymentDetails, "reference" | "refundOf" | "paymentRequestId">;
  kind: HeldPayment["kind"];
  /** A new one by default. */
  seed?: Uint8Array | undefined;
  /** The actual seller, if the recipient is a one-time address (scheme `exact`). In lower case. */
  seller?: Address | undefined;
}

/** The keys that encrypt a held payment: k_i (for an account k), and the held public key from the same wrap. */
interface HoldingKeys {
  agentSecret: Uint8Array;
  heldPublicKey: Uint8Array;
  secretVersion: number;
}

/**
 * Holds a payment above the threshold of its agent, or of the account's own policy. It is encrypted for the owner, and
 * waits until the owner decides or the window ends. Event and audit entry are written in the same transaction. Call it
 * after every other lock is taken.
 *
 * @throws ApiError `policy_violation` (`too_many_held`) when the agent has the maximum number of held payments
 */
export async function hold(
  tx: Tx,
  ctx: KeyContext,
  scope: Scope,
  payment: PaymentToHold,
  keys: HoldingKeys,
  now: Date,
): Promise<HeldView> {
  const { agent, recipientAddress, asset, amount, memo, kind, seller } = payment;
  const id = newId("transaction");
  const text: HeldPayment = {
    id,
    agent: agent.address,
    asset: asset.address,
    to: recipientAddress,
    amount,
    seed: payment.seed ?? newSeed(),
    tag: payment.tag ?? newRequestTag(),
    binding: seller ? sellerBinding(seller) : payment.binding,
    memo,
    kind,
  };
  const encrypted = toHex(await encryptHeld(keys.heldPublicKey, keys.agentSecret, scope, text));
  return recordHeld(tx, ctx, { ...payment, id, encrypted, secretVersion: keys.secretVersion, knownBy: null }, now);
}

/** A payment to hold that is encrypted already. */
interface EncryptedToHold
  extends Pick<PaymentToHold, "agent" | "to" | "recipientAddress" | "asset" | "kind" | "details" | "seller"> {
  id: string;
  encrypted: Hex;
  secretVersion: number;
  /** The note that the approval has to make, or the payment id; null if the service encrypted the payment itself. */
  knownBy: Hex | null;
}

/**
 * Like {@link hold}, for a payment that is encrypted already.
 *
 * @throws ApiError also `invalid_request` for an id that exists
 */
export async function recordHeld(
  tx: Tx,
  ctx: KeyContext,
  { id, agent, to, recipientAddress, asset, kind, details, seller, ...text }: EncryptedToHold,
  now: Date,
): Promise<HeldView> {
  const { chainId } = ctx;
  await requireRoomToHold(tx, agent.id, now);
  const { reference, refundOf, paymentRequestId } = details;
  const expiresAt = new Date(now.getTime() + env().approvalWindowSeconds * 1000);
  const row = {
    id,
    chainId,
    agentId: agent.id,
    rootId: agent.rootId,
    status: "pending_approval" as const,
    to,
    recipientAddress,
    seller: seller ?? null,
    asset: asset.address,
    kind,
    ...text,
    keyId: ctx.keyId,
    requestedAt: now,
    expiresAt,
    reference,
    refundOf,
    paymentRequestId,
  };
  const written = await tx.insert(heldPayments).values(row).onConflictDoNothing().returning({ id: heldPayments.id });
  if (written.length === 0) throw new ApiError("invalid_request", "This id is taken. Choose a new one.");
  const payload = {
    transaction_id: id,
    agent: `@${agent.handle}`,
    to,
    requested_at: isoTime(now),
    expires_at: isoTime(expiresAt),
  };
  await appendEvents(tx, [{ chainId, type: "agent.transaction.pending_approval", subject: agent, payload }], now);
  await appendAudit(
    tx,
    { rootId: agent.rootId, chainId, actor: actorOf(ctx), action: "agent.transaction.held", target: id },
    now,
  );
  const said = { reference, refundOf, paymentRequestId };
  return { id, status: "pending_approval", agentHandle: agent.handle, to, kind, requestedAt: now, expiresAt, ...said };
}

/**
 * The class of the advisory lock for counting one agent's held payments. Distinct from the chain locks of lib/chain.
 */
const LOCK_CLASS = 7_210;

/**
 * Refuses another held payment beyond the maximum per agent, so that a stolen key can't flood its owner with them.
 * Payments of one agent are counted one at a time, whichever available balance they use.
 *
 * @throws ApiError `policy_violation` with the reason `too_many_held`
 */
async function requireRoomToHold(tx: Tx, agentId: string, now: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${agentId}))`);
  const open = await tx.$count(heldPayments, and(eq(heldPayments.agentId, agentId), waits(now)));
  if (open >= env().heldPerAgent) throw policyViolation("too_many_held");
}
