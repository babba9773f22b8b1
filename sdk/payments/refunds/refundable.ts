import { isAddressEqual, zeroAddress } from "viem";
import { formatAmount } from "@/lib/base/money";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import { NO_BINDING } from "@/lib/ledger/encrypted/recipient-copy";
import { refundsLeft } from "@/lib/ledger/funds/refunds-left";
import { partyAt, tagOf } from "../../account/party";
import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { readTransferCopies, readTransfers } from "../transfers/encrypted-transfers";
import { OnChain } from "../transfers/on-chain";
import { TransferDecrypter } from "../transfers/transfer-opener";
import { requireFinal } from "./destination-of";
import { bindingOf, hasTag, RefundsOnChain } from "./refunds-on-chain";

/** How much of a received payment can still be refunded, computed on this machine. Amounts are decimal strings. */
export interface Refundable {
  transfer_id: string;
  asset: string;
  received: string;
  /** The total of the refunds that the chain shows, and of those that the service lists as under way. */
  refunded: string;
  left: string;
  /** The number of those refunds. */
  refunds_counted: number;
}

/** A received payment with its copies, and what is left to refund. */
export interface Refunded {
  entry: TransferWithCopies;
  refundable: Refundable;
  leftUnits: bigint;
  /** How many refunds the service lists, without `earlier`. It refuses a request that counted another number. */
  listedOthers: number;
  /**
   * The refund that an earlier call made under the same idempotency key, with the service's entry if it lists it. It is
   * not counted.
   */
  earlier: { transfer: TransferWithCopies | null; amount: string } | null;
  /** Reads the chain again, and throws if it leaves less than an amount in units, whatever the keys of its refunds. */
  compare(amount: bigint): Promise<void>;
}

const PAGE = 100;

async function refundsOf(context: Context, id: string): Promise<TransferWithCopies[]> {
  const refunds: TransferWithCopies[] = [];
  for (let after: string | undefined; ; after = refunds.at(-1)?.transfer_id) {
    const query = { refund_of: id, direction: "sent", limit: PAGE, ...(after && { starting_after: after }) };
    const page = await readTransfers(context, query);
    refunds.push(...page.transfers);
    if (!page.has_more || page.transfers.length === 0) return refunds;
  }
}

const notPossible = (message: string) => new HalcyonError("refund_not_possible", message);

/**
 * Decrypts a received payment and its refunds, and computes what is left. The chain shows which of this account's
 * payments are refunds of it; of those under way the service's list does.
 *
 * @param key the idempotency key of the requested refund: if it was made already, it is not counted
 * @throws HalcyonError `refund_not_possible` for a payment that was not received, or that can't be decrypted;
 * `unavailable` when the ledger does not show it
 */
export async function readRefunded(context: Context, id: string, key?: string): Promise<Refunded> {
  const [entry, listed, opener, chain, viewer] = await Promise.all([
    readTransferCopies(context, id),
    refundsOf(context, id),
    TransferDecrypter.of(context),
    context.chain(),
    context.viewer(),
  ]);
  if (entry.direction !== "received" || !entry.note) {
    throw notPossible("Only a confidential payment that you received can be refunded.");
  }
  const asset = await context.asset(entry.asset);
  const block = await new OnChain(chain, viewer.account).blockOf(entry, asset.address);
  if (block === null) {
    requireFinal(entry);
    throw new HalcyonError(
      "unavailable",
      "The ledger does not show this payment, so nothing is refunded. Try again later.",
    );
  }
  const opening = await opener.note(entry);
  if (!opening) throw notPossible(`The amount of ${id} can't be decrypted, so nothing is refunded.`);
  const received = opening.opening.amount;
  const tag = await tagOfKey(context, entry, key);
  const onChain = await RefundsOnChain.of(context, { entry, asset: asset.address, block });
  // After the list, so that what was listed as under way, and has been made since, is counted once.
  const { refunds, notes } = await onChain.read();
  let own: TransferWithCopies | null = null;
  let listedOthers = 0;
  for (const transfer of listed) {
    const { note, status } = transfer;
    const isShown = note !== null && notes.has(note);
    // The chain says what was made, whatever the service calls it.
    if (status === "failed" && !isShown) continue;
    const refund = await openListed(onChain, entry, transfer);
    const isOwn = refund !== null && hasTag(refund, tag);
    if (isOwn) own = transfer;
    else if (status !== "failed") listedOthers += 1;
    if (!refund || isShown) continue;
    if (status === "confirmed") {
      throw new HalcyonError("unavailable", "The ledger does not show a refund that the service calls confirmed.");
    }
    refunds.push(refund);
  }
  const counted = refunds.filter((refund) => !hasTag(refund, tag));
  const units = (amount: bigint) => formatAmount(amount, asset.decimals);
  const amounts = refundsLeft(
    received,
    counted.map((refund) => refund.units),
  );
  const earlier = refunds.find((refund) => hasTag(refund, tag));
  return {
    entry,
    refundable: {
      transfer_id: entry.transfer_id,
      asset: asset.symbol,
      received: units(received),
      refunded: units(amounts.refunded),
      left: units(amounts.left),
      refunds_counted: counted.length,
    },
    leftUnits: amounts.left,
    listedOthers,
    earlier: earlier ? { transfer: own, amount: units(earlier.units) } : null,
    async compare(amount) {
      const now = (await onChain.read()).refunds.map((refund) => refund.units);
      if (refundsLeft(received, now).left < amount) throw tooMuch();
    },
  };
}

/** Creates the error for a refund above what is left. */
export const tooMuch = () =>
  new HalcyonError("refund_not_possible", "That is more than what is left to refund of this payment.", {
    param: "amount",
  });

/**
 * Returns the tag of the requested refund. It is derived from the account secret, which a viewing key does not include.
 */
async function tagOfKey(context: Context, entry: TransferWithCopies, key: string | undefined) {
  if (key === undefined || !context.hasWallet) return undefined;
  const [scope, party] = await Promise.all([context.scope(), partyAt(context, entry.recipient)]);
  return tagOf(scope, party, key);
}

/** Decrypts a payment that the service lists as a refund; null if it is none of this payment. */
async function openListed(onChain: RefundsOnChain, entry: TransferWithCopies, listed: TransferWithCopies) {
  const {
    account,
    recipient: to,
    note,
    new_commitment: newCommitment,
    payer_ciphertext,
    recipient_ciphertext,
  } = listed;
  if (!note || !payer_ciphertext || !recipient_ciphertext || !isAddressEqual(account, entry.recipient)) return null;
  return onChain.open({ to, note, newCommitment, payerCopy: payer_ciphertext, recipientCopy: recipient_ciphertext });
}

/** Returns how much of a received payment can still be refunded. Implements `transfers.refundable`. */
export async function refundable(context: Context, id: string): Promise<Refundable> {
  return (await readRefunded(context, id)).refundable;
}

/**
 * Reports whether a received refund belongs to the payment it names. Implements `transfers.checkRefund`.
 *
 * @throws HalcyonError `unavailable` when the service describes either payment otherwise than the ledger does, or names
 * another payment than the one that the refund was signed for
 */
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
 * is bound to the note of that payment. What the service says of either is compared with the ledger first, so that no
 * lie becomes a verdict.
 */
async function isRefundOf(context: Context, refund: TransferWithCopies, paid: TransferWithCopies): Promise<boolean> {
  const [scope, opener, asset, chain, viewer] = await Promise.all([
    context.scope(),
    TransferDecrypter.of(context),
    context.asset(refund.asset),
    context.chain(),
    context.viewer(),
  ]);
  const onChain = new OnChain(chain, viewer.account);
  const shows = async (entry: TransferWithCopies) => entry.note && onChain.shows(entry, asset.address);
  const binding = (await shows(refund)) && (await shows(paid)) && (await opener.bindingOf(refund));
  // Signed as no refund, whatever the service calls it.
  if (binding && equalBytes(binding, NO_BINDING)) return false;
  if (!binding || !equalBytes(binding, bindingOf(scope, asset.address, paid))) {
    throw new HalcyonError("unavailable", "The service describes this refund otherwise than the ledger does.");
  }
  // Only who received a payment refunds it.
  if (!isAddressEqual(refund.account, paid.recipient)) return false;
  if (isAddressEqual(refund.recipient, paid.account)) return true;
  // A refund may go to the owner of the agent that paid, as shown by the ledger.
  const { owner } = await chain.account(paid.account);
  return !isAddressEqual(owner, zeroAddress) && isAddressEqual(owner, refund.recipient);
}
