import type { Address } from "viem";
import type { ChainId } from "@/lib/base/network";
import { checkingClient, publicClient } from "./clients";

/**
 * The most nonces by which one provider alone moves a relayer on. Each that a wrong number leaves out costs a transfer
 * that fills it.
 */
const MOST_ALONE = 1_000;

/**
 * Returns the highest next nonce that a relayer may get from the chain's count, given the one that the database knows.
 * What a second provider shows too has no limit.
 */
export function highestNonce(chainId: ChainId, known: number): number {
  return checkingClient(chainId) ? Number.MAX_SAFE_INTEGER : known + MOST_ALONE;
}

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
