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

const cache = new Map<ChainId, { baseFee: bigint; readAt: number; refresh?: Promise<bigint> }>();

async function readBaseFee(chainId: ChainId): Promise<bigint> {
  const block = await publicClient(chainId).getBlock({ blockTag: "latest" });
  const baseFee = block.baseFeePerGas ?? 0n;
  cache.set(chainId, { baseFee, readAt: Date.now() });
  return baseFee;
}

/** The fee cap for a new transaction, from a base fee at most 15 s old or being read anew. */
export async function currentFees(chainId: ChainId): Promise<Fees> {
  const known = cache.get(chainId);
  let baseFee: bigint;
  if (!known) baseFee = await readBaseFee(chainId);
  else {
    baseFee = known.baseFee;
    if (Date.now() - known.readAt > FRESH_MS && !known.refresh) {
      known.refresh = readBaseFee(chainId);
      known.refresh.catch(() => {
        known.refresh = undefined;
      });
    }
  }
  const cap = baseFee * HEADROOM;
  return { maxFeePerGas: cap > LEAST_CAP ? cap : LEAST_CAP, maxPriorityFeePerGas: 0n };
}
