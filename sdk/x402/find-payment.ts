import {
  type Address,
  BlockNotFoundError,
  type Hex,
  isAddressEqual,
  numberToHex,
  TransactionReceiptNotFoundError,
} from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { decodeLedgerLog, type LedgerEvent, type LedgerLog } from "@/lib/ledger/ledger-events";
import type { Chain } from "../chain/chain";
import type { Viewer } from "../context/viewing/viewer";
import type { Challenge } from "./challenge";
import { challengeBinding } from "./challenge";
import type { Fault } from "./wire";

/** When a payment counts as final: at a block tag, or after a number of further blocks. */
export type Finality = "latest" | "safe" | "finalized" | number;

/** A payment to the seller, as the chain shows it. */
export interface FoundPayment {
  payer: Address;
  note: Hex;
}

type Payee = LedgerEvent<"Transferred"> | LedgerEvent<"Paid">;

const isPayee = (event: LedgerEvent | null): event is Payee =>
  event?.eventName === "Transferred" || event?.eventName === "Paid";

interface Found {
  events: (LedgerEvent | null)[];
  block: bigint;
  blockHash: Hex;
}

/**
 * Returns the ledger's events in a transaction, and its block; null if the chain does not have the transaction or it
 * reverted.
 */
async function eventsIn(chain: Chain, hash: Hex): Promise<Found | null> {
  try {
    const receipt = await chain.client.getTransactionReceipt({ hash });
    if (receipt.status !== "success") return null;
    const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, chain.ledger));
    const raw = logs.map(({ topics, data, logIndex }): LedgerLog => {
      const place = { blockNumber: numberToHex(receipt.blockNumber), logIndex: numberToHex(logIndex) };
      return { topics, data, transactionHash: hash, ...place };
    });
    return { events: raw.map(decodeLedgerLog), block: receipt.blockNumber, blockHash: receipt.blockHash };
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

/** Looks up the block by its hash: a block that a reorganization removed is not found. */
async function timeOf(chain: Chain, blockHash: Hex): Promise<bigint | null> {
  try {
    return (await chain.client.getBlock({ blockHash })).timestamp;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}

async function isFinal(chain: Chain, block: bigint, finality: Finality): Promise<boolean> {
  if (finality === "latest") return true;
  if (typeof finality === "number") return (await chain.client.getBlockNumber()) >= block + BigInt(finality);
  const { number } = await chain.client.getBlock({ blockTag: finality });
  return (number ?? 0n) >= block;
}

/**
 * Finds the payment for a challenge in a transaction: a note to the seller, in the right asset, that carries the
 * challenge's binding and is at least the price. Only the seller's viewing key can decrypt it.
 *
 * @returns the payment, or what is wrong
 */
export async function findPayment(
  chain: Chain,
  viewer: Viewer,
  challenge: Challenge & { unit: bigint },
  hash: Hex,
  finality: Finality,
): Promise<FoundPayment | Fault> {
  const found = await eventsIn(chain, hash);
  if (!found) return "payment_not_found";
  const { scope, payTo, asset, unit } = challenge;
  const binding = challengeBinding(challenge);
  const received = found.events.filter(isPayee).filter(({ args }) => isAddressEqual(args.to, payTo));
  if (received.length === 0) return "wrong_payee";
  const inAsset = received.filter(({ args }) => isAddressEqual(args.asset, asset));
  if (inAsset.length === 0) return "wrong_asset";
  for (const { args } of inAsset) {
    const place = { scope, account: payTo, asset, commitment: args.note };
    const opened = await decryptRecipientCopy(viewer.viewingKey.secret, place, fromHex(args.recipientCiphertext));
    if (!opened || !equalBytes(opened.binding, binding)) continue;
    if (opened.amount * unit < challenge.amount) return "amount_too_low";
    const timestamp = await timeOf(chain, found.blockHash);
    if (timestamp === null) return "payment_not_found";
    if (timestamp > challenge.expires) return "payment_too_late";
    if (!(await isFinal(chain, found.block, finality))) return "payment_not_final";
    return { payer: args.account, note: numberToHex(args.note, { size: 32 }) };
  }
  return "payment_for_something_else";
}
