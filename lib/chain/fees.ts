import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { publicClient } from "./clients";

/** The gas fees that a transaction offers, in wei (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

const FRESH_MS = 15_000;
/**
 * The fee cap as a multiple of the base fee. It is generous, so that transactions hardly ever need a new price; only
 * the base fee is paid.
 */
const HEADROOM = 10n;
const LEAST_CAP = 1_000_000_000n;

/** How long a payment waits for the first base fee of a chain that this process has not heard from yet. */
const PATIENCE_MS = 1_500;

interface Known {
  baseFee: bigint;
  /** Time of the block from which the fee was read. */
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

/**
 * Returns the base fee if the chain reports it soon enough, else 0. The cap is then the lowest one, which the worker
 * can raise.
 */
function firstBaseFee(chainId: ChainId): Promise<bigint> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<bigint>((resolve) => {
    timer = setTimeout(() => resolve(0n), PATIENCE_MS);
  });
  const read = readBaseFee(chainId).catch(() => 0n);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/**
 * Returns the time of the newest block that this process has heard of; undefined before the first one. The chain may be
 * further.
 */
export function newestBlockTime(chainId: ChainId): Date | undefined {
  return cache.get(chainId)?.blockTime;
}

/**
 * Returns the fees for a transaction, never above `MAX_FEE_GWEI`. The base fee is at most 15 s old or is being read
 * again, so this also works while the node is away.
 */
export async function currentFees(chainId: ChainId): Promise<Fees> {
  let { maxFeePerGas } = env();
  const generous = HEADROOM * (await baseFeeOf(chainId));
  const wanted = generous < LEAST_CAP ? LEAST_CAP : generous;
  if (wanted < maxFeePerGas) maxFeePerGas = wanted;
  return { maxFeePerGas, maxPriorityFeePerGas: 0n };
}

/**
 * Does the same as {@link currentFees}, for a transaction that starts something new. Refuses while gas costs more than
 * the service pays, because the transaction would only wait.
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
