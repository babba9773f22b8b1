import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import type { ChainId } from "@/lib/network";
import { publicClient } from "./clients";

/** What a transaction offers for gas, in wei (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

const FRESH_MS = 15_000;
/** The cap is only a bound, what is paid is the base fee: generous, so that hardly anything is ever re-priced. */
const HEADROOM = 10n;
const LEAST_CAP = 1_000_000_000n;

/** A process that has never heard of the chain does not keep a payment waiting for it. */
const PATIENCE_MS = 1_500;

interface Known {
  baseFee: bigint;
  /** Of the block it was read from. */
  blockTime: Date;
  readAt: number;
  refresh?: Promise<bigint>;
}

const cache = new Map<ChainId, Known>();

async function readBaseFee(chainId: ChainId): Promise<bigint> {
  const block = await publicClient(chainId).getBlock({ blockTag: "latest" });
  const baseFee = block.baseFeePerGas ?? 0n;
  cache.set(chainId, { baseFee, blockTime: new Date(Number(block.timestamp) * 1000), readAt: Date.now() });
  return baseFee;
}

/** The base fee if the chain returns it soon enough, else none: the least cap, which the worker raises if need be. */
function firstBaseFee(chainId: ChainId): Promise<bigint> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<bigint>((resolve) => {
    timer = setTimeout(() => resolve(0n), PATIENCE_MS);
  });
  const read = readBaseFee(chainId).catch(() => 0n);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/** Time of the newest block this process has heard of; undefined before the first. The chain's time is past it. */
export function newestBlockTime(chainId: ChainId): Date | undefined {
  return cache.get(chainId)?.blockTime;
}

/**
 * The fee cap for a new transaction, from a base fee at most 15 s old or being read again; never above `MAX_FEE_GWEI`. Works
 * while the node is away.
 */
export async function currentFees(chainId: ChainId): Promise<Fees> {
  let { maxFeePerGas } = env();
  const generous = HEADROOM * (await baseFeeOf(chainId));
  const wanted = generous < LEAST_CAP ? LEAST_CAP : generous;
  if (wanted < maxFeePerGas) maxFeePerGas = wanted;
  return { maxFeePerGas, maxPriorityFeePerGas: 0n };
}

/**
 * The same for something new: it is not begun while gas costs more than the service pays, since it would only wait.
 *
 * @throws ApiError `unavailable`
 */
export async function feesToBegin(chainId: ChainId): Promise<Fees> {
  if ((await baseFeeOf(chainId)) > env().maxFeePerGas) {
    const message = "Gas costs more than this service pays at the moment. Nothing was sent; try again later.";
    throw new ApiError("unavailable", message, { retryAfter: 60 });
  }
  return currentFees(chainId);
}

async function baseFeeOf(chainId: ChainId): Promise<bigint> {
  const known = cache.get(chainId);
  if (!known) return firstBaseFee(chainId);
  if (Date.now() - known.readAt > FRESH_MS && !known.refresh) {
    known.refresh = readBaseFee(chainId);
    known.refresh.catch(() => {
      known.refresh = undefined;
    });
  }
  return known.baseFee;
}
