import { isDeepStrictEqual } from "node:util";
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { LEDGER_EVENTS, LEDGER_TOPICS, type LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { chainEnv, checkingClient } from "../clients";
import { blockReceipts } from "./block-receipts";
import { mayContain } from "./bloom";
import { ChainContradiction } from "./chain-contradiction";
import type { BlockMark } from "./cursor";
import { decodeLedgerLogs, type RpcLog, readLedgerLogs, sortEvents } from "./ledger-logs";
import { type Header, readHeaders } from "./read-headers";

/**
 * The ledger's events of final blocks, from `from` to `end`, in the order of the chain, complete. What eth_getLogs
 * response is believed only where the blocks agree: each log is of a block of this chain, and a block's bloom excludes
 * the ledger's events that are not among its logs, or its receipts do (nodes that lag return an empty list). A bloom does
 * not show how many payments a batch has, so batches are always read from receipts.
 *
 * @param before hash of the block before `from`, when it is known
 * @throws ChainContradiction when the responses do not fit together
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
 * Where a second provider is set, it has to show the same events in a block of the same hash: a single one could make up a
 * chain of its own, with payments that never were.
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
  throw new ChainContradiction("two providers that differ");
}

const BATCH = toEventSelector(LEDGER_EVENTS.find(({ name }) => name === "BatchTransferred") as AbiEvent);

/** Whether a block may have logs of the ledger that eth_getLogs did not name: almost never, as its bloom shows. */
function mayLack(chainId: ChainId, { logsBloom }: Header, found: readonly RpcLog[]): boolean {
  const selectors = new Set(found.map(({ topics: [selector] }) => selector));
  if (selectors.has(BATCH)) return true;
  if (found.length === 0 && !mayContain(logsBloom, chainEnv(chainId).ledger.toLowerCase() as Hex)) return false;
  return LEDGER_TOPICS.some((topic) => !selectors.has(topic) && mayContain(logsBloom, topic));
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
