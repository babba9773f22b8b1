import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { type DecidedView, recordOwnerDecision } from "@/lib/agents/record-owner-decision";
import { requireOwner } from "@/lib/agents/require-owner";
import { refuseDocument } from "@/lib/balances/check-document";
import { type Asset, assetByAddress } from "@/lib/base/assets";
import type { BeforeCommit, Context, ContextAccount, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { domainOfToken } from "@/lib/chain/domain-of-token";
import { scopeOf } from "@/lib/chain/scope-of";
import { actorOf } from "@/lib/events/audit/append";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { HeldPayment } from "@/lib/ledger/encrypted/held";
import { sellerOf } from "@/lib/ledger/exact/seller-binding";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { refuseApproved } from "./after-restore/refuse-approved";
import { notAsAsked, openPayment } from "./approvals/decrypt-payment";
import { findHeld, lockUndecided, requireUndecided, type StoredHeld } from "./approvals/find-held";
import type { ApproveInput } from "./approvals/schema";
import { walletOnly } from "./approvals/wallet-only";
import { blindPayment } from "./blind/blind-payment";
import type { DetailsToClaim } from "./claim-details";
import { countPayment } from "./count-payment";
import { type ClientSignedTransferInput, createClientSignedTransfer, isPublic } from "./create-client-signed-transfer";
import { checkSignedExact, type SignedExact } from "./exact/check-signed-exact";
import { findReceiver } from "./find-receiver";
import { type CreatedTransfer, paidTransfer } from "./paid-transfer";
import { payServerSigned } from "./pay-server-signed";
import type { AroundPayment } from "./payment-transaction";
import { findRefund } from "./refunds/find-refund";

/**
 * Pays a held payment of one of the caller's agents. Decision and payment are one transaction, which checks policy
 * (without the threshold), pause and funds again; if a check fails, the payment stays held. With `client_signed`, the
 * owner's client has decrypted and built the payment; with `blind` too, and the service signs it. Otherwise the API key
 * decrypts it, and the owner's payment key approves it on the ledger. A payment held by an account's own policy needs
 * its wallet, which signs `client_signed`.
 *
 * @throws ApiError `not_agent_owner` to an agent's key, `transaction_not_found`, `transaction_expired`,
 *   `sync_required` after a restore if it may have been approved before, and the errors of `createTransfer`
 */
export async function approve(
  ctx: Context,
  id: string,
  { client_signed: document, blind, lock_token: lockToken, exact }: ApproveInput,
  beforeCommit: BeforeCommit<DecidedView> = async () => {},
): Promise<DecidedView> {
  requireOwner(ctx);
  const held = await findHeld(ctx, id);
  requireUndecided(held.row, new Date());
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  const isOwn = held.row.agentId === ctx.account.id;
  const agent = isOwn ? ctx.account : await findOwnAgent(ctx, held.row.agentId);
  let view: DecidedView | undefined;
  let checkRebuilt = async (_tx: Tx) => {};
  // After a restore, the row may be older than its approval.
  const refuseMade = async (tag: Uint8Array | null) => {
    checkRebuilt = await refuseApproved(ctx, { agentId: agent.id, tag, isPublic: held.row.kind === "release" });
  };
  const around: AroundPayment<CreatedTransfer> = {
    first: (tx) => lockUndecided(tx, id),
    beforeCommit: async (tx, created) => {
      await checkRebuilt(tx);
      const { row } = paidTransfer(created);
      view = await recordOwnerDecision(tx, { chainId: ctx.chainId, actor: actorOf(ctx) }, held, {
        status: "approved",
        transfer: row,
      });
      await beforeCommit(tx, view);
    },
  };
  const pay = async () => {
    if (document) {
      await refuseMade(null);
      return payClientSigned(ctx, agent, held, { client_signed: document, lockToken, exact }, around);
    }
    if (ctx.actor === "key" && isOwn) throw walletOnly();
    if (blind) {
      await refuseMade(null);
      const { document: built, sign } = await blindPayment(ctx, agent, blind.document, blind.signature, id);
      return payClientSigned(ctx, agent, held, { client_signed: built, lockToken, sign }, around);
    }
    if (ctx.actor === "key") return payAsAsked(ctx, agent, held, around, refuseMade);
    throw new ApiError("invalid_request", "A session approves with client-signed payments only.", {
      param: "client_signed",
    });
  };
  await countPayment(pay, () => "paid");
  if (!view) throw new Error("a payment awaiting approval was paid without a decision");
  return view;
}

async function payAsAsked(
  ctx: KeyContext,
  agent: ContextAccount,
  held: StoredHeld,
  around: AroundPayment<CreatedTransfer>,
  refuseMade: (tag: Uint8Array | null) => Promise<void>,
) {
  const { asset: address, amount, kind, to: asked, ...asPaid } = await openPayment(ctx, agent, held);
  await refuseMade(asPaid.tag);
  const confidential = kind === "transfer";
  const { to, refundOf, recipientAddress, seller } = held.row;
  const receiver = await findReceiver(ctx.chainId, agent, refundOf === null ? to : recipientAddress, confidential);
  // For a payment to an `exact` seller, the encrypted text contains the seller as well as the one-time address.
  const meant = sellerOf({ kind, binding: asPaid.binding });
  if (meant !== seller || receiver.recipient.address !== (meant ?? asked)) throw notAsAsked(held.row.id);
  await requireKnownBy(ctx, held, { ...asPaid, kind, to: asked, asset: address, amount });
  const asset = assetByAddress(ctx.chainId, address);
  if (!asset) throw new Error("a payment was held in an asset that is not offered");
  const { seed, tag, binding, memo } = asPaid;
  const details = await detailsOfHeld(ctx, agent, asset, held.row);
  // The row names a refund of another payment than the agent asked for.
  if (details.refund && !(binding && equalBytes(details.refund.binding, binding))) throw notAsAsked(held.row.id);
  const payment = { approved: true, payer: agent, asset, amount, receiver, confidential, to, memo, seed, tag, details };
  if (meant === null) {
    await payServerSigned(ctx, { ...payment, binding }, around);
    return;
  }
  const exact = { domain: await domainOfToken(ctx.chainId, asset.address), heldFor: asked };
  await payServerSigned(ctx, { ...payment, exact }, around);
}

/** Refuses a text of another payment than the one whose note the agent has named. */
async function requireKnownBy(
  ctx: KeyContext,
  { row: { id, knownBy } }: StoredHeld,
  { seed, kind, to, asset, amount }: Pick<HeldPayment, "seed" | "kind" | "to" | "asset" | "amount">,
): Promise<void> {
  if (knownBy === null) return;
  const scope = await scopeOf(ctx.chainId);
  const named =
    kind === "release" ? paymentIdOf(seed, scope) : commitmentToHex(noteOf(seed, scope, to, asset, amount).commitment);
  if (knownBy !== named) throw notAsAsked(id);
}

/** What the owner's client has built. */
interface ClientSignedApproval {
  client_signed: SignedPayment;
  lockToken?: string | undefined;
  exact?: SignedExact | undefined;
  /** Signs the document, if a blind key approves. */
  sign?: ClientSignedTransferInput["sign"];
}

/**
 * Pays with a client-signed document. The row determines recipient, asset and kind; the owner vouches for the amount.
 */
async function payClientSigned(
  ctx: Context,
  agent: ContextAccount,
  { row }: StoredHeld,
  { client_signed: document, lockToken, exact, sign }: ClientSignedApproval,
  around: AroundPayment<CreatedTransfer>,
) {
  if (isPublic(document) !== (row.kind === "release") || document.kind === "fund") {
    throw refuseDocument("kind", "The agent asked for another kind of payment.");
  }
  if (document.asset !== row.asset) throw refuseDocument("asset", "The agent asked to pay in another asset.");
  if (row.knownBy !== null && row.knownBy !== ("note" in document ? document.note : document.payment_id)) {
    throw refuseDocument("note", "The agent asked for another payment. Approve exactly what it encrypted.");
  }
  if (document.to !== row.recipientAddress) throw refuseDocument("to", "The agent asked to pay another address.");
  const asset = assetByAddress(ctx.chainId, row.asset);
  if (row.seller === null && exact) throw refuseDocument("exact", "This payment is for no `exact` seller.");
  const input = {
    to: row.to,
    ...((row.refundOf !== null || row.seller !== null) && { address: row.recipientAddress }),
    ...(row.seller !== null && asset && { exact: await exactOf(ctx, agent, asset, row.seller, document, exact) }),
    asset: asset?.symbol,
    ...(asset && { details: await detailsOfHeld(ctx, agent, asset, row) }),
    confidential: row.kind === "transfer",
    client_signed: document,
    lock_token: lockToken,
    sign,
    approved: true,
  };
  await createClientSignedTransfer(ctx, agent, input, around);
}

/**
 * Checks what the owner's client has signed for the seller. Returns it with the seller as recipient, for the policy.
 */
async function exactOf(
  ctx: Context,
  agent: ContextAccount,
  asset: Asset,
  address: Address,
  document: SignedPayment,
  signed: SignedExact | undefined,
) {
  const { recipient: seller } = await findReceiver(ctx.chainId, agent, address, false);
  return { seller, signed: await checkSignedExact(ctx.chainId, agent, asset, seller, document, signed) };
}

/** Returns the details of a held payment, such as its reference. */
async function detailsOfHeld(
  ctx: Context,
  agent: ContextAccount,
  asset: Asset,
  { reference, refundOf, paymentRequestId, recipientAddress, kind, requestedAt }: StoredHeld["row"],
): Promise<DetailsToClaim> {
  const confidential = kind === "transfer";
  const found =
    refundOf === null ? undefined : await findRefund(ctx, agent, asset, { refund_of: refundOf, confidential });
  // The recipient was fixed when the agent asked.
  const refund = found && { ...found, address: recipientAddress, requestedAt };
  return { reference: reference ?? undefined, refund, paymentRequest: paymentRequestId ?? undefined };
}
