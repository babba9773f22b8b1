import type { Account, Chain, Transport } from "viem";
import { type Address, concatHex, type Hex, type PublicClient, type WalletClient, zeroHash } from "viem";
import { deployedAddress, FACTORY } from "../../lib/chain/deployed-address.ts";

export interface Deployer {
  reader: PublicClient;
  wallet: WalletClient<Transport, Chain, Account>;
}

/**
 * Deploys a contract by CREATE2 unless the same one exists. The address is derived from code and constructor arguments,
 * so an earlier version is never taken for the current one.
 *
 * @param initCode creation bytecode followed by the encoded constructor arguments
 * @returns the address, and the block if it was deployed just now
 * @throws Error when the transaction is reverted or leaves no code
 */
export async function deployDeterministic(
  { reader, wallet }: Deployer,
  initCode: Hex,
): Promise<{ address: Address; deployedBlock: bigint | null }> {
  const address = deployedAddress(initCode);
  if (await hasCode(reader, address)) return { address, deployedBlock: null };
  if (!(await hasCode(reader, FACTORY))) throw new Error(`the chain has no CREATE2 factory at ${FACTORY}`);
  const hash = await wallet.sendTransaction({ to: FACTORY, data: concatHex([zeroHash, initCode]) });
  const { status, blockNumber } = await reader.waitForTransactionReceipt({
    hash,
    pollingInterval: 50,
    checkReplacement: false,
  });
  if (status !== "success" || !(await hasCode(reader, address))) throw new Error(`deployment ${hash} left no contract`);
  return { address, deployedBlock: blockNumber };
}

async function hasCode(reader: PublicClient, address: Address): Promise<boolean> {
  const code = await reader.getCode({ address });
  return code !== undefined && code !== "0x";
}
