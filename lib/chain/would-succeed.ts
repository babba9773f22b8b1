import type { Address, Hex } from "viem";
import { BaseError, ContractFunctionRevertedError, ExecutionRevertedError } from "viem";
import type { ChainId } from "@/lib/base/network";
import { publicClient } from "./clients";
import { relayerAccount } from "./relayer";

/**
 * Reports whether a call would succeed on the newest block if a relayer sent it. This finds a caller's mistake before
 * gas is spent on it.
 *
 * @param gas the gas limit of the call, if a contract wallet's code runs in it
 * @throws Error if the chain can't be reached
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
