import { rpc } from "@/scripts/stack/rpc";

/**
 * Moves the clock of a local chain on, with two blocks, the first of them so much later. It is one call: between
 * evm_increaseTime and evm_mine the chain may mine a block of its own, and then the clock is as before.
 */
export async function passTime(rpcUrl: string, seconds: number): Promise<void> {
  const { timestamp } = await rpc<{ timestamp: string }>(rpcUrl, "eth_getBlockByNumber", ["latest", false]);
  await rpc(rpcUrl, "evm_mine", [{ timestamp: Number(timestamp) + seconds, blocks: 2 }]);
}
