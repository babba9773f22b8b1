import type { Address, BlockTag } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { EMPTY_AVAILABLE } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type AssetHistory, type HistoryEntry, newHistory } from "@/lib/ledger/history/account-history";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { Period } from "@/lib/payments/statements/period";
import type { Chain } from "../chain/chain";
import { moneyEvents } from "../chain/ledger-events";
import type { StatementHolder } from "./holders-of";

/** An entry of a history, with the time of its block in Unix seconds. */
export type TimedEntry = HistoryEntry & { time: number };

/** A holder's total by asset; null when it can't be decrypted. */
export type Holdings = ReadonlyMap<Address, bigint | null>;

/** What the chain shows of one holder. */
export interface HolderHistory {
  holder: StatementHolder;
  /** The entries of the period, in chain order. */
  entries: TimedEntry[];
  opening: Holdings;
  closing: Holdings;
  /** Whether the events add up to the ledger's current state. If not, the node left some out. */
  complete: boolean;
}

/** The block at which histories end. */
export interface ChainEnd {
  block: bigint;
  /** Unix seconds. */
  time: number;
}

/** Progress and cancellation of the reading, for people who wait. */
export interface ReadingProgress {
  progress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Number of events between checks whether someone still waits. Decrypting each takes milliseconds. */
const STEP = 50;
const AT_ONCE = 20;

/**
 * Returns the total of available, received and deposited money. Received payments that can't be decrypted count as
 * zero.
 */
function balanceOf({ deposited, available, notes }: AssetHistory): bigint | null {
  if (!available) return null;
  let total = deposited + available.limit;
  for (const { spent, opening } of notes.values()) if (!spent && opening) total += opening.amount;
  return total;
}

const holdingsOf = (assets: Map<Address, AssetHistory>): Holdings =>
  new Map([...assets].map(([asset, held]) => [asset, balanceOf(held)]));

/** Returns the newest block that is final by the service's finality. */
export async function chainEnd(chain: Chain, finality: BlockTag): Promise<ChainEnd> {
  const { number, timestamp } = await chain.client.getBlock({ blockTag: finality });
  return { block: number ?? 0n, time: Number(timestamp) };
}

/**
 * Reads what one holder did in a period, and its totals at both ends, from the ledger's events alone, decrypted on this
 * machine. Also checks that the events up to the newest block add up to what the ledger stores.
 *
 * @param end the last block to include
 */
export async function readHolder(
  chain: Chain,
  scope: Scope,
  viewingSecret: Uint8Array,
  holder: StatementHolder,
  { from, to }: Period,
  end: ChainEnd,
  { progress, signal }: ReadingProgress = {},
): Promise<HolderHistory> {
  const newest = await chain.client.getBlockNumber();
  const found = await moneyEvents(chain.client, chain.ledger, holder.address, holder.from, newest);
  // Sort the events, which come in any order. None is in there twice, because the ledger refuses payments to oneself.
  const events = found.toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
  const times = new BlockTimes(
    chain,
    events.map(({ blockNumber }) => blockNumber),
  );
  const first = await times.firstNotBefore(from);
  const past = await times.firstNotBefore(to);
  const inPeriod = (event: MoneyEvent) => event.blockNumber < past && event.blockNumber <= end.block;
  const cuts = [events.findIndex((e) => e.blockNumber >= first), events.findIndex((e) => !inPeriod(e))];
  const [start = 0, stop = 0] = cuts.map((at) => (at === -1 ? events.length : at));
  let done = 0;
  const history = newHistory();
  const fold = async (some: readonly MoneyEvent[]) => {
    for (let at = 0; at < some.length; at += STEP) {
      signal?.throwIfAborted();
      await foldHistory(scope, holder.address, viewingSecret, some.slice(at, at + STEP), history);
      done += Math.min(STEP, some.length - at);
      progress?.(done, events.length);
      // Yield to the event loop, so that a worker can receive a cancel message while decrypting.
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  await fold(events.slice(0, start));
  const opening = holdingsOf(history.assets);
  const before = history.entries.length;
  await fold(events.slice(start, Math.max(start, stop)));
  const closing = holdingsOf(history.assets);
  const entries = history.entries.slice(before);
  const read = await times.of(entries.map(({ blockNumber }) => blockNumber));
  await fold(events.slice(Math.max(start, stop)));
  return {
    holder,
    entries: entries.map((entry) => ({ ...entry, time: read.get(entry.blockNumber) ?? 0 })),
    opening,
    closing,
    complete: await isComplete(chain, holder.address, history.assets, newest),
  };
}

/**
 * Reports whether the ledger stores what the events add up to: available balance, deposited money, and each unspent
 * note.
 */
async function isComplete(
  chain: Chain,
  account: Address,
  assets: Map<Address, AssetHistory>,
  blockNumber: bigint,
): Promise<boolean> {
  const ledger = { address: chain.ledger, abi: ledgerAbi, blockNumber } as const;
  const { client } = chain;
  for (const [asset, held] of assets) {
    const [commitment, deposited] = await Promise.all([
      client.readContract({ ...ledger, functionName: "availableOf", args: [account, asset] }),
      client.readContract({ ...ledger, functionName: "depositedOf", args: [account, asset] }),
    ]);
    // The ledger stores zero for an available balance that never existed.
    const empty = commitment === 0n && held.commitment === EMPTY_AVAILABLE;
    if ((commitment !== held.commitment && !empty) || BigInt(deposited) !== held.deposited) return false;
    const open = [...held.notes.values()].filter(({ spent, opening }) => !spent && opening !== null);
    for (let at = 0; at < open.length; at += AT_ONCE) {
      const some = open
        .slice(at, at + AT_ONCE)
        .map(({ note }) =>
          client.readContract({ ...ledger, functionName: "noteStatus", args: [account, asset, note] }),
        );
      if ((await Promise.all(some)).some((status) => status !== OPEN)) return false;
    }
  }
  return true;
}

/** The ledger's status of an unspent note. */
const OPEN = 1;

/** Reads the times of blocks, in Unix seconds. Each block is read only once. */
class BlockTimes {
  private readonly known = new Map<bigint, number>();
  private readonly blocks: bigint[];

  /** @param blocks the blocks that may be looked up, in any order, duplicates allowed */
  constructor(
    private readonly chain: Chain,
    blocks: readonly bigint[],
  ) {
    this.blocks = [...new Set(blocks)].sort((a, b) => (a < b ? -1 : 1));
  }

  /** Returns the first of the blocks that is not older than `at`. If all are older, returns a later block number. */
  async firstNotBefore(at: Date): Promise<bigint> {
    let [low, high] = [0, this.blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const time = await this.timeOf(this.blocks[middle] ?? 0n);
      if (time * 1000 >= at.getTime()) high = middle;
      else low = middle + 1;
    }
    return this.blocks[low] ?? (this.blocks.at(-1) ?? 0n) + 1n;
  }

  async of(blocks: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    const missing = [...new Set(blocks)].filter((block) => !this.known.has(block));
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      await Promise.all(missing.slice(at, at + AT_ONCE).map((block) => this.timeOf(block)));
    }
    return this.known;
  }

  private async timeOf(block: bigint): Promise<number> {
    const known = this.known.get(block);
    if (known !== undefined) return known;
    const { timestamp } = await this.chain.client.getBlock({ blockNumber: block });
    this.known.set(block, Number(timestamp));
    return Number(timestamp);
  }
}
