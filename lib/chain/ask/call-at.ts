import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import type { ChainId } from "@/lib/base/network";
import { twoThatDiffer } from "../chain-contradiction";
import { batchingClient, checkingClient } from "../clients";

/**
 * Calls a contract as of one block, named by its hash, so that a node that doesn't know the block refuses instead of
 * using another one. If a second provider is configured, it must return the same.
 *
 * @throws ChainContradiction if it doesn't
 */
export async function callAt<T>(
  chainId: ChainId,
  blockHash: Hex,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<T> {
  const call = { to, data: encodeFunctionData({ abi, functionName, args }) };
  const read = {
    method: "eth_call",
    params: [call, { blockHash, requireCanonical: true }] as [typeof call, { blockHash: Hex; requireCanonical: true }],
  } as const;
  const [data, second] = await Promise.all([
    batchingClient(chainId).request(read),
    checkingClient(chainId)?.request(read),
  ]);
  if (second !== undefined && second !== data)
    throw twoThatDiffer(chainId, `${functionName} of ${to} at block ${blockHash}`);
  return decodeFunctionResult({ abi, functionName, data }) as T;
}
