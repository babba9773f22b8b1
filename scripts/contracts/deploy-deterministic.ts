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
  if (!(await hasCode(reader, FACTORY))) await deployFactory({ reader, wallet });
  const hash = await wallet.sendTransaction({ to: FACTORY, data: concatHex([zeroHash, initCode]) });
  const { status, blockNumber } = await reader.waitForTransactionReceipt({
    hash,
    pollingInterval: 50,
    checkReplacement: false,
  });
  if (status !== "success" || !(await hasCode(reader, address))) throw new Error(`deployment ${hash} left no contract`);
  return { address, deployedBlock: blockNumber };
}

/**
 * The published transaction that deploys the factory, on every chain at the same address. It is not bound to a chain,
 * and costs its sender, whose key no one has, 100,000 gas of 100 gwei.
 */
const FACTORY_TRANSACTION =
  "0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222";
const FACTORY_SENDER = "0x3fAB184622Dc19b6109349B94811493BF2a45362";
const FACTORY_COSTS = 10n ** 16n;

/** Deploys the factory to a chain that lacks it, such as a development node of another kind. */
async function deployFactory({ reader, wallet }: Deployer): Promise<void> {
  const missing = FACTORY_COSTS - (await reader.getBalance({ address: FACTORY_SENDER }));
  if (missing > 0n) {
    const hash = await wallet.sendTransaction({ to: FACTORY_SENDER, value: missing });
    await reader.waitForTransactionReceipt({ hash, pollingInterval: 50, checkReplacement: false });
  }
  try {
    const hash = await reader.sendRawTransaction({ serializedTransaction: FACTORY_TRANSACTION });
    await reader.waitForTransactionReceipt({ hash, pollingInterval: 50, checkReplacement: false });
  } catch (cause) {
    const why = "the chain has no CREATE2 factory, and its node refuses the transaction that deploys one";
    throw new Error(`${why}: allow transactions without a chain id (for geth, --rpc.allow-unprotected-txs)`, { cause });
  }
  if (!(await hasCode(reader, FACTORY))) throw new Error(`the transaction left no CREATE2 factory at ${FACTORY}`);
}

/** Reports whether there is a contract at an address. */
export async function hasCode(reader: PublicClient, address: Address): Promise<boolean> {
  const code = await reader.getCode({ address });
  return code !== undefined && code !== "0x";
}
