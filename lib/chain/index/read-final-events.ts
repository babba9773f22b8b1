import type { Hex } from "viem";
import { LEDGER_TOPICS, type LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { chainEnv } from "../clients";
import { decodeLedgerLogs, type RpcLog, readLedgerLogs, sortEvents } from "../ledger-events";
import { blockReceipts } from "./block-receipts";
import { mayContain } from "./bloom";
import { ChainContradiction } from "./chain-contradiction";
import type { BlockMark } from "./cursor";
import { type Header, readHeaders } from "./read-headers";

/**
 * The ledger's events of final blocks, from `from` to `end`, in the order of the chain, complete. What eth_getLogs
 * response is believed only where the blocks agree: each log is of a block of this chain, and a block without logs has
 * a bloom that excludes the ledger, or receipts that do (nodes that lag return an empty list).
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
    complete.push(...(found.length > 0 ? found : await overlooked(chainId, header)));
  }
  if (logsOf.size > 0) throw new ChainContradiction("logs outside of what was asked for");
  return sortEvents(decodeLedgerLogs(complete));
}

/** The ledger's logs of a block for which eth_getLogs named none: almost always none, as its bloom shows. */
async function overlooked(chainId: ChainId, header: Header): Promise<RpcLog[]> {
  const ledger = chainEnv(chainId).ledger.toLowerCase() as Hex;
  const { logsBloom } = header;
  const suspected = mayContain(logsBloom, ledger) && LEDGER_TOPICS.some((topic) => mayContain(logsBloom, topic));
  if (!suspected) return [];
  const receipts = await blockReceipts(chainId, header);
  const logs = receipts.flatMap((receipt) => receipt.logs.filter(({ address }) => address.toLowerCase() === ledger));
  if (logs.length > 0) log().warn({ chainId, block: header.number }, "the node left out logs; its receipts have them");
  return logs;
}
