import type { Account, Chain, Transport } from "viem";
import {
  type Address,
  concatHex,
  getContractAddress,
  type Hex,
  type PublicClient,
  type WalletClient,
  zeroHash,
} from "viem";

/**
 * The CREATE2 factory that chains and development nodes have at this address (Arachnid's deterministic deployment
 * proxy).
 */
const FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

export interface Deployer {
  reader: PublicClient;
  wallet: WalletClient<Transport, Chain, Account>;
}

/**
 * Deploys by CREATE2 unless the very same contract is there: the address follows from code and constructor arguments,
 * so changed code never passes for what an earlier version left behind.
 *
 * @param initCode creation bytecode with the encoded constructor arguments behind it
 * @returns the address, and the block of the deployment when it happened now
 * @throws when the transaction is reverted or leaves no code
 */
export async function deployDeterministic(
  { reader, wallet }: Deployer,
  initCode: Hex,
): Promise<{ address: Address; deployedBlock: bigint | null }> {
  const address = getContractAddress({ opcode: "CREATE2", from: FACTORY, salt: zeroHash, bytecode: initCode });
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
