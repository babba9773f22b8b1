import type { Address } from "viem";
import type { ChainId } from "@/lib/network";
import { checkingClient, publicClient } from "./clients";

/**
 * Returns how many nonces of an account the chain has used. If a second provider is configured, as many as both of them
 * show: a number that is too high would leave nonces out, and what is signed after them could never be mined.
 *
 * @throws Error if one of them can't be reached
 */
export async function usedNonces(
  chainId: ChainId,
  address: Address,
  blockTag: "latest" | "safe" | "finalized",
): Promise<number> {
  const [count, checked = count] = await Promise.all([
    publicClient(chainId).getTransactionCount({ address, blockTag }),
    checkingClient(chainId)?.getTransactionCount({ address, blockTag }),
  ]);
  return Math.min(count, checked);
}
