import type { Hex, HttpTransport, PublicClient } from "viem";
import type { ChainId } from "@/lib/base/network";
import { decodeLedgerLog, type LedgerEvent } from "@/lib/ledger/ledger-events";
import { ChainContradiction } from "../chain-contradiction";
import { chainEnv, publicClient } from "../clients";

/** A log as a node returns it. */
export interface RpcLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  logIndex: Hex;
  transactionHash: Hex;
  removed?: boolean;
}

/**
 * Returns what a node gives as the ledger's logs in a range of blocks, both ends included. Don't rely on this alone: it
 * may be incomplete.
 *
 * @param client to read from another node than usual
 */
export async function readLedgerLogs(
  chainId: ChainId,
  fromBlock: bigint,
  toBlock: bigint,
  client: PublicClient<HttpTransport> = publicClient(chainId),
): Promise<RpcLog[]> {
  const logs = await client.request({
    method: "eth_getLogs",
    params: [
      {
        address: chainEnv(chainId).ledger,
        fromBlock: `0x${fromBlock.toString(16)}`,
        toBlock: `0x${toBlock.toString(16)}`,
      },
    ],
  });
  return logs as RpcLog[];
}

/**
 * Decodes the events among the ledger's logs.
 *
 * @throws ChainContradiction for data that the ledger never writes
 */
export function decodeLedgerLogs(logs: readonly RpcLog[]): LedgerEvent[] {
  return logs.flatMap((log) => {
    try {
      return decodeLedgerLog(log) ?? [];
    } catch {
      throw new ChainContradiction("a log that the ledger does not write");
    }
  });
}

/** Sorts events in the order of the chain. */
export function sortEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  return [...events].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
}
