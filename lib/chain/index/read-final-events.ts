import { isDeepStrictEqual } from "node:util";
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { LEDGER_EVENTS, LEDGER_TOPICS, type LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { ChainContradiction, twoThatDiffer } from "../chain-contradiction";
import { chainEnv, checkingClient } from "../clients";
import { blockReceipts } from "./block-receipts";
import { bloomBits, mayContain } from "./bloom";
import type { BlockMark } from "./cursor";
import { decodeLedgerLogs, type RpcLog, readLedgerLogs, sortEvents } from "./ledger-logs";
import { type Header, readHeaders } from "./read-headers";

/**
 * Returns all of the ledger's events in final blocks from `from` to `end`, in the order of the chain. The response to
 * eth_getLogs alone is not enough, because nodes that lag return an empty list. Each log must be of a block of this
 * chain, and a block's bloom must rule out events of the ledger that are missing, otherwise the block's receipts are
 * read. A bloom does not show how many payments a batch has, so batches are always read from receipts.
 *
 * @param before hash of the block before `from`, if known
 * @throws ChainContradiction if the responses don't fit together
 */
export async function readFinalEvents(
  chainId: ChainId,
  from: bigint,
  end: BlockMark,
  before: Hex | null,
): Promise<LedgerEvent[]> {
  const [headers, logs] = await Promise.all([
    readHeaders(chainId, from, end.number, { parent: before, last: end.hash }),
    readLedgerLogs(chainId, from, end.number),
  ]);
  const logsOf = new Map<bigint, RpcLog[]>();
  for (const entry of logs) {
    const number = BigInt(entry.blockNumber);
    const list = logsOf.get(number);
    if (list) list.push(entry);
    else logsOf.set(number, [entry]);
  }
  const complete: RpcLog[] = [];
  for (const header of headers) {
    const found = logsOf.get(header.number) ?? [];
    logsOf.delete(header.number);
    if (found.some(({ blockHash, removed }) => removed || blockHash !== header.hash)) {
      throw new ChainContradiction("logs of another block");
    }
    complete.push(...(mayLack(chainId, header, found) ? await logsInReceipts(chainId, header, found) : found));
  }
  if (logsOf.size > 0) throw new ChainContradiction("logs outside of what was asked for");
  const events = sortEvents(decodeLedgerLogs(complete));
  await requireAgreement(chainId, from, end, events);
  return events;
}

/**
 * Requires a second provider, if one is configured, to show the same events up to a block of the same hash. A single
 * provider could make up a chain of its own, with payments that never happened.
 */
async function requireAgreement(chainId: ChainId, from: bigint, end: BlockMark, events: LedgerEvent[]): Promise<void> {
  const client = checkingClient(chainId);
  if (!client) return;
  const [block, logs] = await Promise.all([
    client.getBlock({ blockNumber: end.number }),
    readLedgerLogs(chainId, from, end.number, client),
  ]);
  const theirs = sortEvents(decodeLedgerLogs(logs));
  if (block.hash === end.hash && isDeepStrictEqual(theirs, events)) return;
  throw twoThatDiffer(chainId, `the events of blocks ${from} to ${end.number}`);
}

/** The bits of each event in a logs bloom: hashing them for each block cost more than reading it. */
const TOPICS = LEDGER_TOPICS.map((topic) => ({ topic, bits: bloomBits(topic) }));
const BATCH = toEventSelector(LEDGER_EVENTS.find(({ name }) => name === "BatchTransferred") as AbiEvent);

/**
 * Reports whether a block may have logs of the ledger that eth_getLogs left out. Its bloom almost always rules this
 * out.
 */
function mayLack(chainId: ChainId, { logsBloom }: Header, found: readonly RpcLog[]): boolean {
  const selectors = new Set(found.map(({ topics: [selector] }) => selector));
  if (selectors.has(BATCH)) return true;
  if (found.length === 0 && !mayContain(logsBloom, bloomBits(chainEnv(chainId).ledger))) return false;
  return TOPICS.some(({ topic, bits }) => !selectors.has(topic) && mayContain(logsBloom, bits));
}

async function logsInReceipts(chainId: ChainId, header: Header, found: readonly RpcLog[]): Promise<RpcLog[]> {
  const ledger = chainEnv(chainId).ledger.toLowerCase();
  const receipts = await blockReceipts(chainId, header);
  const logs = receipts.flatMap((receipt) => receipt.logs.filter(({ address }) => address.toLowerCase() === ledger));
  if (logs.length > found.length) {
    log().warn({ chainId, block: header.number }, "the node left out logs; its receipts have them");
  }
  return logs;
}
