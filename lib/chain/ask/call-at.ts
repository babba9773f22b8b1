import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import type { ChainId } from "@/lib/network";
import { batchingClient } from "../clients";

/**
 * Reads a contract as of one block, named by its hash: a node that does not know it refuses instead of responding from
 * another.
 */
export async function callAt<T>(
  chainId: ChainId,
  blockHash: Hex,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<T> {
  const data = await batchingClient(chainId).request({
    method: "eth_call",
    params: [
      { to, data: encodeFunctionData({ abi, functionName, args }) },
      { blockHash, requireCanonical: true },
    ],
  });
  return decodeFunctionResult({ abi, functionName, data }) as T;
}
