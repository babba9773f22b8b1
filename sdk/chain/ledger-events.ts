import { type Address, type Hex, pad, toEventSelector, toHex } from "viem";
import { BlockRange, failureKind, oldestFirst } from "@/lib/base/block-ranges";
import {
  decodeLedgerLog,
  LEDGER_EVENTS,
  type LedgerLog,
  MONEY_EVENTS,
  type MoneyEvent,
} from "@/lib/ledger/ledger-events";
import { HalcyonError } from "../api/errors";
import type { ChainClient } from "./chain-client";
import { rpcReason } from "./rpc-transport";

type EventName = (typeof MONEY_EVENTS)[number];

const isMoney = (name: string): name is EventName => (MONEY_EVENTS as readonly string[]).includes(name);

const selectorsOf = (names: readonly EventName[]): Hex[] =>
  LEDGER_EVENTS.flatMap((event) => (isMoney(event.name) && names.includes(event.name) ? [toEventSelector(event)] : []));

/** The first topic of these events is the account whose money moves; for `Funded`, the payer. */
const BY_FIRST = selectorsOf(MONEY_EVENTS);
/** The second topic of these events is the receiving account. */
const BY_SECOND = selectorsOf(["Transferred", "Paid", "Funded"]);

/** The first request is for all blocks: many nodes return them at once. */
const NO_LIMIT = 2n ** 64n;
/** How often in a row a smaller range is tried when the RPC does not respond. */
const PATIENCE = 2;

/** What is known about reading from one client. */
interface Reading {
  range: BlockRange;
  onProgress?: (block: bigint, last: bigint) => void;
}

const readings = new WeakMap<ChainClient, Reading>();

function readingOf(client: ChainClient): Reading {
  const known = readings.get(client) ?? { range: new BlockRange(NO_LIMIT, PATIENCE) };
  readings.set(client, known);
  return known;
}

/** Calls `onProgress` after each range of blocks that is read from this client. */
export function watchReads(client: ChainClient, onProgress: Reading["onProgress"]): void {
  Object.assign(readingOf(client), { onProgress });
}

/**
 * Runs `read` over all blocks from `from` to `to`, in ranges as large as the RPC accepts, and returns what it finds in
 * the order of the chain.
 *
 * @throws HalcyonError `unavailable` with the node's reason when it refuses even one block
 */
export async function readRanges<T>(
  client: ChainClient,
  from: bigint,
  to: bigint,
  read: (fromBlock: bigint, toBlock: bigint) => Promise<readonly T[]>,
): Promise<T[]> {
  const { range, onProgress } = readingOf(client);
  const all: T[] = [];
  let next = from;
  try {
    const ranges = oldestFirst(range, from, to, async (fromBlock, toBlock) => {
      const found = await read(fromBlock, toBlock);
      next = toBlock + 1n;
      return found;
    });
    for await (const found of ranges) {
      for (const one of found) all.push(one);
      onProgress?.(next - 1n, to);
    }
    return all;
  } catch (error) {
    throw failureKind(error) === "refused" ? refusedAt(next, error) : error;
  }
}

/** The error for a node that doesn't return the events of even one block. */
function refusedAt(block: bigint, error: unknown): HalcyonError {
  const reason = rpcReason(error);
  return new HalcyonError(
    "unavailable",
    `The chain's RPC does not return the events of block ${block}${reason && `, and says “${reason}”`}. Use an RPC that serves eth_getLogs for all blocks since then (an archive node, or a provider's plan that includes it).`,
    { param: "rpcUrl" },
  );
}

/**
 * Returns all events from the chain that moved money of `account`, in any order. Filters by topic, so other accounts'
 * events are not read. Decoding is strict: bytes that the ledger can't have written are an error.
 */
export function moneyEvents(
  client: ChainClient,
  ledger: Address,
  account: Address,
  from: bigint,
  to: bigint,
): Promise<MoneyEvent[]> {
  const topic = pad(account, { size: 32 }).toLowerCase() as Hex;
  return readRanges<MoneyEvent>(client, from, to, async (fromBlock, toBlock) => {
    const query = { address: ledger, fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
    const found = await Promise.all(
      [
        [BY_FIRST, topic],
        [BY_SECOND, null, topic],
      ].map((topics) => client.request({ method: "eth_getLogs", params: [{ ...query, topics }] })),
    );
    return found.flat().flatMap((log) => {
      const event = decodeLedgerLog(log as LedgerLog);
      return event && isMoney(event.eventName) ? [event as MoneyEvent] : [];
    });
  });
}
