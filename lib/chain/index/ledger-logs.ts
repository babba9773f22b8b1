import type { Hex, HttpTransport, PublicClient } from "viem";
import { decodeLedgerLog, type LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { chainEnv, publicClient } from "../clients";
import { ChainContradiction } from "./chain-contradiction";

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
 * What a node returns as the ledger's logs in a range of blocks, both ends included. Don't trust it alone.
 *
 * @param client another than the one that everything else is read from
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
 * The events among logs of the ledger.
 *
 * @throws ChainContradiction for bytes that the ledger does not write
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

/** Events in the order of the chain. */
export function sortEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  return [...events].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
}
