import { type Address, isAddressEqual } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { seedsOf } from "@/lib/ledger/crypto/payment-seed";
import { copyTags, decryptBatchCopy, isBatchCopy } from "@/lib/ledger/encrypted/batch-copy";
import { decryptPayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import type { LedgerEvent, MoneyEvent } from "@/lib/ledger/ledger-events";
import { HalcyonError } from "../../api/errors";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import { readTransfers } from "../transfers/encrypted-transfers";
import { type OwnCopy, ownPart } from "./own-part";
import type { PendingPayment } from "./pending-payment";

/**
 * How far back to search for an earlier attempt with the same key, in seconds. The service remembers keys for a day.
 */
export const SEARCH_SECONDS = 26 * 3_600;

/** Values that are known before a payment's first document and by which it can be found again. */
export interface AttemptMarks {
  /** The first of its seeds. */
  seed: Uint8Array;
  /**
   * The `requestTag` of the key. A payment that the service signed under the same key carries it too, but has a
   * different seed.
   */
  tag: Uint8Array;
}

/**
 * A payment or move to the available balance of the account under the same key, as the chain shows it. Amounts are in
 * ledger units.
 */
export interface EarlierPayment {
  event: MoneyEvent;
  /** The amount of a single payment; null when the copy doesn't contain it. */
  amount: bigint | null;
  /** The payments of a batch, in order. */
  batch: { paid: LedgerEvent<"Paid">; amount: bigint | null }[];
}

/** Creates the error for an idempotency key that belongs to a different payment. */
export function otherPayment(): HalcyonError {
  return new HalcyonError(
    "idempotency_mismatch",
    "This idempotency key belongs to another payment of yours. Use a new one for a new payment.",
  );
}

/** Returns the first block of the last `seconds` seconds, by the chain's clock, in which the wallet had an account. */
export async function blockSince(context: Context, seconds: number): Promise<bigint> {
  const chain = await context.chain();
  const { client } = chain;
  const [newest, { enrolledBlock }] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    chain.account(context.wallet.address),
  ]);
  const wanted = newest.timestamp - BigInt(seconds);
  let [low, high] = [enrolledBlock, newest.number];
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await client.getBlock({ blockNumber: middle });
    if (timestamp < wanted) low = middle + 1n;
    else high = middle;
  }
  return low;
}

const isOneOf = (seed: Uint8Array, seeds: readonly Uint8Array[]) => seeds.some((one) => equalBytes(one, seed));

/**
 * Returns the on-chain names of the payment that was found, which replace the planned ones: a payment under the same
 * tag has its own note.
 */
function namesOf({ event, batch }: EarlierPayment): Partial<PendingPayment> {
  if (event.eventName === "Transferred") return { note: commitmentToHex(event.args.note) };
  if (event.eventName === "Released" || event.eventName === "Funded") return { payment_id: event.args.paymentId };
  if (event.eventName !== "BatchTransferred") return {};
  return { payments: batch.map(({ paid: { args } }) => ({ to: args.to, note: commitmentToHex(args.note) })) };
}

/** Finds on chain the newest event of an account whose own copy carries the seed or the tag of a key; null for none. */
export async function findMarked(
  context: Context,
  account: Address,
  marks: AttemptMarks,
  from: bigint | number = SEARCH_SECONDS,
) {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const since = typeof from === "bigint" ? from : await blockSince(context, from);
  const events = await moneyEvents(chain.client, chain.ledger, account, since, await chain.client.getBlockNumber());
  const seeds = seedsOf(marks.seed, scope);
  const isMarked = (copy: OwnCopy) =>
    isOneOf(copy.seed, seeds) || copyTags(copy).some((tag) => equalBytes(tag, marks.tag));
  for (const event of events.reverse()) {
    const part = await ownPart(scope, vault.viewingKey.secret, account, event, events);
    if (part && isMarked(part.copy)) return { event, part };
  }
  return null;
}

/**
 * Finds on chain what an earlier process did under the same idempotency key: an event of the account whose own copy
 * carries the seed or the tag of the key. Returns the record with that document in it, or null.
 *
 * @param fits reports whether the earlier payment is the requested one
 * @param from the first block to read, or how far back in seconds; default: 26 hours
 * @throws HalcyonError `idempotency_mismatch` when the key was used for a different payment
 */
export async function findEarlier(
  context: Context,
  pending: PendingPayment,
  marks: AttemptMarks,
  fits: (earlier: EarlierPayment) => boolean,
  from: bigint | number = SEARCH_SECONDS,
): Promise<PendingPayment | null> {
  const { account, asset, kind } = pending;
  const found = await findMarked(context, account, marks, from);
  if (!found) return null;
  const { event, part } = found;
  if (part.kind !== kind || !isAddressEqual(event.args.asset, asset) || !fits(part.earlier)) throw otherPayment();
  const { old_commitment, new_commitment, earlier } = part;
  const documents = [{ old_commitment, new_commitment, deadline: 1 }];
  return { ...pending, ...namesOf(earlier), since_block: event.blockNumber.toString(), documents };
}

/**
 * Finds what an earlier process did under the same idempotency key among the payments that the service has pending.
 * Returns the record with that document in it, or null. Only the account itself knows the seed, so the service can't
 * substitute another payment.
 *
 * @param deadline of the document in Unix seconds; the service's list doesn't include it
 */
export async function findUnderWay(
  context: Context,
  pending: PendingPayment,
  { seed }: AttemptMarks,
  deadline: bigint,
): Promise<PendingPayment | null> {
  const [scope, vault] = await Promise.all([context.scope(), context.vault()]);
  const seeds = seedsOf(seed, scope);
  const { transfers } = await readTransfers(context, { limit: 100, status: "pending" });
  for (const { account, kind, payer_ciphertext, old_commitment, new_commitment } of transfers) {
    const encrypted = payer_ciphertext && fromHex(payer_ciphertext);
    if (!encrypted || !isAddressEqual(account, pending.account)) continue;
    const isBatch = isBatchCopy(encrypted);
    if ((isBatch ? "batch" : kind) !== pending.kind) continue;
    const place = { scope, account: pending.account, asset: pending.asset, commitment: BigInt(new_commitment) };
    const copy = await (isBatch ? decryptBatchCopy : decryptPayerCopy)(vault.viewingKey.secret, place, encrypted);
    if (!copy || !isOneOf(copy.seed, seeds)) continue;
    return { ...pending, documents: [{ old_commitment, new_commitment, deadline: Number(deadline) }] };
  }
  return null;
}
