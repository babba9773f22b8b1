import { rpc } from "@/scripts/stack/rpc";

/**
 * Advances the clock of a local chain with two blocks, the first of them this much later. One call, because between
 * evm_increaseTime and evm_mine the chain may mine a block of its own, which undoes the increase.
 */
export async function passTime(rpcUrl: string, seconds: number): Promise<void> {
  const { timestamp } = await rpc<{ timestamp: string }>(rpcUrl, "eth_getBlockByNumber", ["latest", false]);
  await rpc(rpcUrl, "evm_mine", [{ timestamp: Number(timestamp) + seconds, blocks: 2 }]);
}
