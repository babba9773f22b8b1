import { isAddressEqual, zeroAddress } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { refundsLeft } from "@/lib/ledger/funds/refunds-left";
import { openPayerCopy } from "@/lib/ledger/seal/payer-copy";
import { formatAmount, parseAmount } from "@/lib/money";
import { partyAt, tagOf } from "../account/party";
import type { SealedTransfer } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { readTransferCopies, readTransfers } from "../transfers/encrypted-transfers";
import { TransferOpener } from "../transfers/transfer-opener";

/** How much of a received payment can still be refunded, computed on this machine. Amounts are decimal strings. */
export interface Refundable {
  transfer_id: string;
  asset: string;
  received: string;
  /** The total of all refunds that have not failed, including pending ones. */
  refunded: string;
  left: string;
  /** Number of refunds that were counted. */
  refunds_counted: number;
}

/** A received payment with its copies, and what is left to refund. */
export interface Refunded {
  entry: SealedTransfer;
  refundable: Refundable;
  leftUnits: bigint;
  /** The refund that an earlier call made under the same idempotency key. It is not counted. */
  earlier: { transfer: SealedTransfer; amount: string } | null;
}

const PAGE = 100;

async function refundsOf(context: Context, id: string): Promise<SealedTransfer[]> {
  const refunds: SealedTransfer[] = [];
  for (let after: string | undefined; ; after = refunds.at(-1)?.transfer_id) {
    const query = { refund_of: id, direction: "sent", limit: PAGE, ...(after && { starting_after: after }) };
    const page = await readTransfers(context, query);
    refunds.push(...page.transfers);
    if (!page.has_more || page.transfers.length === 0) return refunds;
  }
}

/**
 * Finds the refund that carries the tag of an idempotency key, so that a repeated call returns it instead of counting
 * it as another refund. Only the account itself can create the tag, so the service can't substitute another refund.
 */
async function refundOfKey(
  context: Context,
  entry: SealedTransfer,
  refunds: SealedTransfer[],
  key: string | undefined,
): Promise<SealedTransfer | undefined> {
  // The tag is derived from the account secret, which a viewing key does not include.
  if (key === undefined || !context.hasWallet || refunds.length === 0) return undefined;
  const [scope, { viewingKey }, party, asset] = await Promise.all([
    context.scope(),
    context.vault(),
    partyAt(context, entry.recipient),
    context.asset(entry.asset),
  ]);
  const tag = tagOf(scope, party, key);
  for (const refund of refunds) {
    if (!refund.payer_ciphertext || !isAddressEqual(refund.account, party.address)) continue;
    const place = { scope, account: party.address, asset: asset.address, commitment: BigInt(refund.new_word) };
    const copy = await openPayerCopy(viewingKey.secret, place, fromHex(refund.payer_ciphertext));
    if (copy && equalBytes(copy.tag, tag)) return refund;
  }
  return undefined;
}

/**
 * Decrypts a received payment and its refunds, and computes what is left.
 *
 * @param key the idempotency key of the requested refund: if it was made already, it is not counted
 * @throws HalcyonError `refund_not_possible` for a payment that was not received, or that can't be decrypted
 */
export async function readRefunded(context: Context, id: string, key?: string): Promise<Refunded> {
  const [entry, refunds, opener] = await Promise.all([
    readTransferCopies(context, id),
    refundsOf(context, id),
    TransferOpener.of(context),
  ]);
  if (entry.direction !== "received" || !entry.note) {
    throw new HalcyonError("refund_not_possible", "Only a confidential payment that you received can be refunded.");
  }
  const { decimals } = await context.asset(entry.asset);
  const standing = refunds.filter(({ status }) => status !== "failed");
  const own = await refundOfKey(context, entry, standing, key);
  const counted = standing.filter((refund) => refund !== own);
  const units = async (one: SealedTransfer) => {
    const { amount } = await opener.content(one, one.status);
    if (amount !== null) return parseAmount(amount, decimals);
    throw new HalcyonError(
      "refund_not_possible",
      `The amount of ${one.transfer_id} can't be decrypted, so nothing is refunded.`,
    );
  };
  const received = await units(entry);
  const { refunded, left } = refundsLeft(received, await Promise.all(counted.map(units)));
  const refundable = {
    transfer_id: entry.transfer_id,
    asset: entry.asset,
    received: formatAmount(received, decimals),
    refunded: formatAmount(refunded, decimals),
    left: formatAmount(left, decimals),
    refunds_counted: counted.length,
  };
  const earlier = own ? { transfer: own, amount: formatAmount(await units(own), decimals) } : null;
  return { entry, refundable, leftUnits: left, earlier };
}

/** Returns how much of a received payment can still be refunded. Implements `transfers.refundable`. */
export async function refundable(context: Context, id: string): Promise<Refundable> {
  return (await readRefunded(context, id)).refundable;
}

/** Returns the binding of refunds of a received payment. */
export function bindingOf(
  scope: Scope,
  asset: `0x${string}`,
  { recipient, note }: Pick<SealedTransfer, "recipient" | "note">,
) {
  if (!note) throw new Error("a payment without a note is not refunded");
  return refundBinding(scope, { account: recipient, asset, note: hexToWord(note) });
}

/** Reports whether a received refund belongs to the payment it names. Implements `transfers.checkRefund`. */
export async function checkRefund(context: Context, id: string): Promise<{ refund_of: string; valid: boolean }> {
  const refund = await readTransferCopies(context, id);
  if (refund.refund_of === null || refund.direction !== "received") {
    throw new HalcyonError("invalid_request", "This is no refund that you received.", { param: "transferId" });
  }
  const paid = await readTransferCopies(context, refund.refund_of);
  return { refund_of: refund.refund_of, valid: await isRefundOf(context, refund, paid) };
}

/**
 * Reports whether a received transfer refunds a payment of this account, as signed by the refunding account: its copy
 * is bound to the note of that payment.
 */
async function isRefundOf(context: Context, refund: SealedTransfer, paid: SealedTransfer): Promise<boolean> {
  const [scope, opener, asset, chain] = await Promise.all([
    context.scope(),
    TransferOpener.of(context),
    context.asset(refund.asset),
    context.chain(),
  ]);
  if (paid.direction !== "sent" || !paid.note || paid.asset !== refund.asset) return false;
  const binding = await opener.bindingOf(refund);
  if (!binding || !equalBytes(binding, bindingOf(scope, asset.address, paid))) return false;
  if (isAddressEqual(refund.recipient, paid.account)) return true;
  // A refund may go to the owner of the agent that paid, as shown by the ledger.
  const { owner } = await chain.account(paid.account);
  return !isAddressEqual(owner, zeroAddress) && isAddressEqual(owner, refund.recipient);
}
