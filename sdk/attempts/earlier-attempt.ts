import { type Hex, isAddressEqual } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { openPayerCopy } from "@/lib/ledger/seal/payer-copy";
import type { SealedTransfer } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { moneyEvents } from "../chain/ledger-events";
import type { Context } from "../context/context";
import type { PendingPayment } from "./pending-payment";

/** How far back an earlier attempt with the same key is looked for: the service remembers keys for a day. Seconds. */
const SEARCH_SECONDS = 26 * 3_600;

/** The refusal of an idempotency key that names another payment. */
export function otherPayment(): HalcyonError {
  return new HalcyonError(
    "idempotency_mismatch",
    "This idempotency key belongs to another payment of yours. Use a new one for a new payment.",
  );
}

/** The first block of the last so many seconds. */
async function blockSince(context: Context, seconds: number): Promise<bigint> {
  const [{ client }, { ledgerBlock }] = await Promise.all([context.chain(), context.info()]);
  const newest = await client.getBlock({ blockTag: "latest" });
  const wanted = newest.timestamp - BigInt(seconds);
  let [low, high] = [ledgerBlock, newest.number];
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await client.getBlock({ blockNumber: middle });
    if (timestamp < wanted) low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** What an event that took money out of a budget, or allocated to it, left there and for its owner. */
function payersPart(event: MoneyEvent) {
  switch (event.eventName) {
    case "Allocated":
      return {
        kind: "allocation",
        from: event.args.account,
        ciphertext: event.args.ciphertext,
        ...wordsOf(event.args),
      };
    case "Released":
    case "Transferred": {
      const kind = event.eventName === "Released" ? "release" : "transfer";
      return { kind, from: event.args.account, ciphertext: event.args.payerCiphertext, ...wordsOf(event.args) };
    }
    case "Funded": {
      const { from, fromCiphertext: ciphertext, fromOldBudget, fromNewBudget } = event.args;
      return { kind: "fund", from, ciphertext, ...wordsOf({ oldBudget: fromOldBudget, newBudget: fromNewBudget }) };
    }
    case "Deposited":
    case "Abandoned":
      return null;
  }
}

const wordsOf = ({ oldBudget, newBudget }: { oldBudget: bigint; newBudget: bigint }) => ({
  old_word: wordToHex(oldBudget),
  new_word: wordToHex(newBudget),
});

/**
 * Finds on chain what an earlier process did under the same idempotency key: an event of the account whose own copy carries
 * the seed. Returns the record with that document in it, or null.
 *
 * @param fits whether an event is the very payment that is asked for
 * @param from the first block to read; that of 26 hours ago when left out
 * @throws HalcyonError `idempotency_mismatch` when the key has made another payment
 */
export async function findEarlier(
  context: Context,
  pending: PendingPayment,
  seed: Uint8Array,
  fits: (event: MoneyEvent) => boolean,
  from?: bigint,
): Promise<PendingPayment | null> {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const { account, asset, kind } = pending;
  const since = from ?? (await blockSince(context, SEARCH_SECONDS));
  const events = await moneyEvents(chain.client, chain.ledger, account, since, await chain.client.getBlockNumber());
  for (const event of events.reverse()) {
    const part = payersPart(event);
    if (!part || !isAddressEqual(part.from, account)) continue;
    const place = { scope, account, asset: event.args.asset, commitment: BigInt(part.new_word) };
    const copy = await openPayerCopy(vault.viewingKey.secret, place, fromHex(part.ciphertext as Hex));
    if (!copy || !equalBytes(copy.seed, seed)) continue;
    if (part.kind !== kind || !isAddressEqual(event.args.asset, asset) || !fits(event)) throw otherPayment();
    const { old_word, new_word } = part;
    const documents = [{ old_word, new_word, deadline: 1 }];
    return { ...pending, since_block: event.blockNumber.toString(), documents };
  }
  return null;
}

/**
 * Finds among the payments the service has under way what an earlier process did under the same idempotency key. Returns the
 * record with that document in it, or null. Only the account itself knows the seed, so nothing else can be put in its place.
 *
 * @param deadline of the document, which the service does not list: Unix seconds
 */
export async function findUnderWay(
  context: Context,
  pending: PendingPayment,
  seed: Uint8Array,
  deadline: bigint,
): Promise<PendingPayment | null> {
  const [scope, vault, session] = await Promise.all([context.scope(), context.vault(), context.session()]);
  const query = { limit: 100, status: "pending" };
  const { transfers } = await session.get<{ transfers: SealedTransfer[] }>("/api/transfers", query);
  for (const { account, kind, payer_ciphertext, old_word, new_word } of transfers) {
    if (!isAddressEqual(account, pending.account) || kind !== pending.kind || !payer_ciphertext) continue;
    const place = { scope, account: pending.account, asset: pending.asset, commitment: BigInt(new_word) };
    const copy = await openPayerCopy(vault.viewingKey.secret, place, fromHex(payer_ciphertext));
    if (!copy || !equalBytes(copy.seed, seed)) continue;
    return { ...pending, documents: [{ old_word, new_word, deadline: Number(deadline) }] };
  }
  return null;
}
