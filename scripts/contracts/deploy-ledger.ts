import { type Address, encodeDeployData, type Hex, zeroAddress } from "viem";
import { BlockRange, oldestFirst } from "../../lib/base/block-ranges.ts";
import {
  fundVerifierBytecode,
  ledgerBytecode,
  makeAvailableVerifierBytecode,
  payManyVerifierBytecode,
  releaseVerifierBytecode,
  spendPublicVerifierBytecode,
  spendVerifierBytecode,
  transferVerifierBytecode,
} from "../../lib/chain/abi/bytecode.ts";
import { ledgerAbi } from "../../lib/chain/abi/ledger.ts";
import { type Deployer, deployDeterministic } from "./deploy-deterministic.ts";

/** A listed asset: the token's smallest units per unit, and the most units of one deposit. */
export interface Listing {
  token: Address;
  unit: bigint;
  depositLimit: bigint;
}

export interface DeployedLedger {
  ledger: Address;
  deployedBlock: bigint;
}

/** No limit: the largest 64-bit amount. */
export const NO_DEPOSIT_LIMIT = 2n ** 64n - 1n;

/** ETH in units of 1 gwei. */
export const ETH_LISTING: Listing = { token: zeroAddress, unit: 10n ** 9n, depositLimit: NO_DEPOSIT_LIMIT };

/**
 * Deploys the verifiers and the ledger, owned by the deployer, and lists the assets. Safe to repeat: it only does what
 * is missing.
 *
 * @returns the ledger's address and the block in which it was deployed
 * @throws Error when an asset is listed with another unit, or a transaction fails
 */
export async function deployLedger(deployer: Deployer, listings: Listing[]): Promise<DeployedLedger> {
  const verifiers = {
    transfer: await deployed(deployer, transferVerifierBytecode),
    release: await deployed(deployer, releaseVerifierBytecode),
    fund: await deployed(deployer, fundVerifierBytecode),
    makeAvailable: await deployed(deployer, makeAvailableVerifierBytecode),
    spend: await deployed(deployer, spendVerifierBytecode),
    spendPublic: await deployed(deployer, spendPublicVerifierBytecode),
    payMany: await deployed(deployer, payManyVerifierBytecode),
  };
  const args = [deployer.wallet.account.address, verifiers] as const;
  const initCode = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args });
  const { address: ledger, deployedBlock } = await deployDeterministic(deployer, initCode);
  for (const listing of listings) await listAsset(deployer, ledger, listing);
  return { ledger, deployedBlock: deployedBlock ?? (await findDeployedBlock(deployer, ledger)) };
}

async function deployed(deployer: Deployer, initCode: Hex): Promise<Address> {
  return (await deployDeterministic(deployer, initCode)).address;
}

async function listAsset({ reader, wallet }: Deployer, ledger: Address, { token, unit, depositLimit }: Listing) {
  const [listed, current] = await reader.readContract({
    address: ledger,
    abi: ledgerAbi,
    functionName: "assetOf",
    args: [token],
  });
  if (listed && current !== unit) throw new Error(`${token} is listed with the unit ${current}, not ${unit}`);
  if (listed) return;
  const hash = await wallet.writeContract({
    address: ledger,
    abi: ledgerAbi,
    functionName: "listAsset",
    args: [token, unit, depositLimit],
  });
  const { status } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 50, checkReplacement: false });
  if (status !== "success") throw new Error(`listing ${token} was reverted (${hash})`);
}

/** Returns the block of the ledger's first event, which its constructor emits. */
async function findDeployedBlock({ reader }: Deployer, ledger: Address): Promise<bigint> {
  const query = {
    address: ledger,
    abi: ledgerAbi,
    eventName: "OwnershipTransferred",
    args: { previousOwner: zeroAddress },
  } as const;
  const newest = await reader.getBlockNumber();
  const found = oldestFirst(new BlockRange(newest + 1n), 0n, newest, (fromBlock, toBlock) =>
    reader.getContractEvents({ ...query, fromBlock, toBlock }),
  );
  for await (const [created] of found) if (created) return created.blockNumber;
  throw new Error(`the chain no longer has the logs of the ledger ${ledger}`);
}
