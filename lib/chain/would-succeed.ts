import type { Address, Hex } from "viem";
import { BaseError, ContractFunctionRevertedError, ExecutionRevertedError } from "viem";
import type { ChainId } from "@/lib/network";
import { publicClient } from "./clients";
import { relayerAccount } from "./relayer";

/**
 * Whether a call would go through on the newest block if a relayer sent it: finds a caller's mistake before gas is
 * spent on it. Throws when the chain cannot be asked.
 *
 * @param gas the most that the call may burn: where a contract wallet's code runs in it
 */
export async function wouldSucceed(chainId: ChainId, target: Address, data: Hex, gas?: bigint): Promise<boolean> {
  try {
    await publicClient(chainId).call({ account: relayerAccount(chainId, 0).address, to: target, data, gas });
    return true;
  } catch (error) {
    const reverted =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof ExecutionRevertedError || cause instanceof ContractFunctionRevertedError);
    if (reverted) return false;
    throw error;
  }
}
