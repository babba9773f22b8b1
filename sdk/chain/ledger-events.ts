import { type Address, type Hex, pad, toEventSelector, toHex } from "viem";
import {
  decodeLedgerLog,
  LEDGER_EVENTS,
  type LedgerLog,
  MONEY_EVENTS,
  type MoneyEvent,
} from "@/lib/ledger/ledger-events";
import type { ChainClient } from "./chain-client";

type EventName = (typeof MONEY_EVENTS)[number];

const isMoney = (name: string): name is EventName => (MONEY_EVENTS as readonly string[]).includes(name);

const selectorsOf = (names: readonly EventName[]): Hex[] =>
  LEDGER_EVENTS.flatMap((event) => (isMoney(event.name) && names.includes(event.name) ? [toEventSelector(event)] : []));

/** The first topic of these events is the account whose money moves; for `Funded`, the payer. */
const BY_FIRST = selectorsOf(MONEY_EVENTS);
/** The second topic of these events is the receiving account. */
const BY_SECOND = selectorsOf(["Transferred", "Paid", "Funded"]);

/** A block range that the RPC refuses is halved down to this size before the error counts as final. */
const SMALLEST_RANGE = 500n;

/**
 * Runs `read` over all blocks from `from` to `to`, in ranges as large as the RPC accepts. Public RPCs limit the range
 * or the number of logs per request, each in its own way.
 */
export async function readRanges<T>(
  from: bigint,
  to: bigint,
  read: (fromBlock: bigint, toBlock: bigint) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  let size = to - from + 1n;
  for (let start = from; start <= to; ) {
    const end = start + size - 1n < to ? start + size - 1n : to;
    try {
      all.push(...(await read(start, end)));
      start = end + 1n;
      size *= 2n;
    } catch (error) {
      if (end - start < SMALLEST_RANGE) throw error;
      size = (end - start + 1n) / 2n;
    }
  }
  return all;
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
  return readRanges<MoneyEvent>(from, to, async (fromBlock, toBlock) => {
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
