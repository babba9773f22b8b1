import type { Address, PublicClient } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";

/** A range a chain's RPC refuses is halved down to this many blocks before the refusal is believed. */
const SMALLEST_RANGE = 500n;

/**
 * Runs `read` over all blocks from `from` to `to`, in ranges as wide as the RPC accepts: public ones bound the range or
 * the number of logs of one request, each in its own way.
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

/** All events that moved money of `account`, from the chain. Every filter is by topic: others' events are not read. */
export function moneyEvents(
  client: PublicClient,
  ledger: Address,
  account: Address,
  from: bigint,
  to: bigint,
): Promise<MoneyEvent[]> {
  return readRanges<MoneyEvent>(from, to, async (fromBlock, toBlock) => {
    const query = { address: ledger, abi: ledgerAbi, strict: true, fromBlock, toBlock } as const;
    const found = await Promise.all([
      client.getContractEvents({ ...query, eventName: "Deposited", args: { account } }),
      client.getContractEvents({ ...query, eventName: "Abandoned", args: { account } }),
      client.getContractEvents({ ...query, eventName: "Allocated", args: { account } }),
      client.getContractEvents({ ...query, eventName: "Transferred", args: { account } }),
      client.getContractEvents({ ...query, eventName: "Transferred", args: { to: account } }),
      client.getContractEvents({ ...query, eventName: "Released", args: { account } }),
      client.getContractEvents({ ...query, eventName: "Funded", args: { from: account } }),
      client.getContractEvents({ ...query, eventName: "Funded", args: { to: account } }),
    ]);
    return found.flat();
  });
}
