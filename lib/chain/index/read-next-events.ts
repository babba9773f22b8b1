import { isDeepStrictEqual } from "node:util";
import type { Hex } from "viem";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { LEDGER_TOPICS, type LedgerEvent } from "@/lib/ledger/ledger-events";
import { ChainContradiction, twoThatDiffer } from "../chain-contradiction";
import { chainEnv, checkingClient } from "../clients";
import { blockReceipts } from "./block-receipts";
import { bloomBits, mayContain } from "./bloom";
import { type BlockMark, blockAt } from "./cursor";
import { decodeLedgerLogs, type RpcLog, readLedgerLogs, sortEvents } from "./ledger-logs";
import { rangeOf } from "./range";
import { type Header, readHeaders } from "./read-headers";

/** Blocks whose receipts are requested concurrently: those of a full block take many kilobytes. */
const AT_ONCE = 20;

/**
 * Returns all of the ledger's events in the next final blocks, as many blocks as the nodes return at once, and the last
 * of them.
 *
 * @param from the first block
 * @param head the last block that may be read
 * @param before hash of the block before `from`, if known
 * @throws ChainContradiction if the responses don't fit together
 */
export async function readNextEvents(
  chainId: ChainId,
  from: bigint,
  head: BlockMark,
  before: Hex | null,
): Promise<{ end: BlockMark; events: LedgerEvent[] }> {
  const { found } = await rangeOf(chainId).readSome(head.number - from + 1n, async (blocks) => {
    const last = from + blocks - 1n;
    const end = last < head.number ? await blockAt(chainId, last) : head;
    if (!end) throw new ChainContradiction("a block below the final one is missing");
    return { end, events: await readFinalEvents(chainId, from, end, before) };
  });
  return found;
}

/**
 * Returns all of the ledger's events in final blocks from `from` to `end`, in the order of the chain. The response to
 * eth_getLogs alone is not enough, because nodes that lag return an empty list. Each log must be of a block of this
 * chain. A block without logs must have a bloom that rules out events of the ledger, otherwise its receipts are read. A
 * bloom does not show how many events a block has, so blocks with logs are always read from receipts.
 */
async function readFinalEvents(
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
  const doubtful: { header: Header; found: RpcLog[] }[] = [];
  for (const header of headers) {
    const found = logsOf.get(header.number) ?? [];
    logsOf.delete(header.number);
    if (found.some(({ blockHash, removed }) => removed || blockHash !== header.hash)) {
      throw new ChainContradiction("logs of another block");
    }
    if (found.length > 0 || mayHaveLogs(chainId, header)) doubtful.push({ header, found });
  }
  if (logsOf.size > 0) throw new ChainContradiction("logs outside of what was asked for");
  const complete: RpcLog[] = [];
  for (let start = 0; start < doubtful.length; start += AT_ONCE) {
    const some = doubtful.slice(start, start + AT_ONCE);
    const read = await Promise.all(some.map(({ header, found }) => logsInReceipts(chainId, header, found)));
    complete.push(...read.flat());
  }
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
const TOPICS = LEDGER_TOPICS.map(bloomBits);

/** Reports whether a block may have logs of the ledger. Its bloom almost always rules this out if it has none. */
function mayHaveLogs(chainId: ChainId, { logsBloom }: Header): boolean {
  if (!mayContain(logsBloom, bloomBits(chainEnv(chainId).ledger))) return false;
  return TOPICS.some((bits) => mayContain(logsBloom, bits));
}

async function logsInReceipts(chainId: ChainId, header: Header, found: readonly RpcLog[]): Promise<RpcLog[]> {
  const ledger = chainEnv(chainId).ledger.toLowerCase();
  const receipts = await blockReceipts(chainId, header);
  const logs = receipts.flatMap((receipt) => receipt.logs.filter(({ address }) => address.toLowerCase() === ledger));
  const shown = new Set(logs.map(placeOf));
  if (!found.every((one) => shown.has(placeOf(one)))) throw new ChainContradiction("receipts without a log");
  if (logs.length > found.length) {
    log().warn({ chainId, block: header.number }, "the node left out logs; its receipts have them");
  }
  return logs;
}

const placeOf = ({ transactionHash, logIndex }: RpcLog) => `${transactionHash} ${BigInt(logIndex)}`;
