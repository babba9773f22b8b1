import { type AbiEvent, type AbiParameter, type Address, decodeAbiParameters, type Hex, toEventSelector } from "viem";
import type { EventPosition, MoneyEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { ledgerAbi } from "./abi/ledger";
import { chainEnv, publicClient } from "./clients";

/** The events that say who is there. */
type AccountEvent = EventPosition &
  (
    | {
        eventName: "Enrolled";
        args: { account: Address; viewingKey: Hex; spender: Address; spenderUntil: bigint; sealedRoot: Hex };
      }
    | { eventName: "SpenderSet"; args: { account: Address; spender: Address; spenderUntil: bigint } }
    | { eventName: "AgentEnrolled"; args: { agent: Address; owner: Address } }
  );

/** Everything the index follows. Addresses are in lower case. */
export type LedgerEvent = MoneyEvent | AccountEvent;

const FOLLOWED = new Set<string>([
  "Enrolled",
  "SpenderSet",
  "AgentEnrolled",
  "Abandoned",
  "Deposited",
  "Allocated",
  "Transferred",
  "Released",
  "Funded",
]);

interface EventShape {
  name: string;
  indexed: readonly AbiParameter[];
  rest: readonly AbiParameter[];
}

// Selectors are hashed once, not per log.
const shapes = new Map<Hex, EventShape>(
  (ledgerAbi as readonly { type: string }[])
    .filter((item): item is AbiEvent => item.type === "event")
    .filter((item) => FOLLOWED.has(item.name))
    .map((item) => [
      toEventSelector(item),
      {
        name: item.name,
        indexed: item.inputs.filter((input) => input.indexed),
        rest: item.inputs.filter((input) => !input.indexed),
      },
    ]),
);

/** Topics of the events the index follows. */
export const FOLLOWED_TOPICS: readonly Hex[] = [...shapes.keys()];

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

const lowerAddress = (type: string, value: unknown) =>
  type === "address" && typeof value === "string" ? value.toLowerCase() : value;

/** Decodes one log; undefined for events the index does not follow. */
function decodeLedgerLog(log: RpcLog): LedgerEvent | undefined {
  const shape = log.topics[0] && shapes.get(log.topics[0]);
  if (!shape) return undefined;
  const args: Record<string, unknown> = {};
  shape.indexed.forEach((input, index) => {
    // Indexed parameters of the ledger are addresses.
    args[input.name ?? ""] = `0x${log.topics[index + 1]?.slice(-40)}`;
  });
  const values = decodeAbiParameters(shape.rest, log.data);
  shape.rest.forEach((input, index) => {
    args[input.name ?? ""] = lowerAddress(input.type, values[index]);
  });
  return {
    eventName: shape.name,
    args,
    blockNumber: BigInt(log.blockNumber),
    logIndex: Number(log.logIndex),
    transactionHash: log.transactionHash,
  } as LedgerEvent;
}

/** What the node returns as the ledger's logs in a range of blocks, both ends included. Don't trust it alone. */
export async function readLedgerLogs(chainId: ChainId, fromBlock: bigint, toBlock: bigint): Promise<RpcLog[]> {
  const logs = await publicClient(chainId).request({
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

/** The events among logs of the ledger that the index follows. */
export function decodeLedgerLogs(logs: readonly RpcLog[]): LedgerEvent[] {
  return logs.flatMap((log) => decodeLedgerLog(log) ?? []);
}

/** Events in the order of the chain. */
export function sortEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  return [...events].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
}
