import { type Address, encodeDeployData, type PublicClient } from "viem";
import { PUBLISHED_USDG } from "../lib/base/env-variables.ts";
import { CHAIN_ID } from "../lib/base/network.ts";
import { testUsdgBytecode } from "../lib/chain/abi/bytecode.ts";
import { testUsdgAbi } from "../lib/chain/abi/test-usdg.ts";
import { type ChainAccess, connect } from "./contracts/connect.ts";
import { deployDeterministic, hasCode } from "./contracts/deploy-deterministic.ts";
import { type DeployedLedger, deployLedger, ETH_LISTING, NO_DEPOSIT_LIMIT } from "./contracts/deploy-ledger.ts";
import { checkKeysFitFor } from "./contracts/keys-fit-for.ts";

/**
 * Deploys the verifiers, the ledger and the test USDG to a development chain and lists USDG (unit 1) and ETH (unit 1 gwei).
 * Safe to repeat: it sends nothing if all of it exists, and changed contracts get new addresses.
 *
 * @param minterAddress who may mint the test USDG; the deployer by default
 * @returns the addresses and the block in which the ledger was deployed
 * @throws Error when the chain is a public one, a proving key has no contribution, or a transaction fails
 */
export async function deployLocal({
  minterAddress,
  ...access
}: ChainAccess & { minterAddress?: Address }): Promise<DeployedLedger & { usdg: Address }> {
  await checkKeysFitFor({ publicLive: false });
  const deployer = await connect(access);
  if (await isPublic(deployer.reader)) {
    throw new Error(
      `the node serves the public chain ${access.chainId}: a test USDG belongs on development chains only`,
    );
  }
  const { address: usdg } = await deployDeterministic(
    deployer,
    encodeDeployData({
      abi: testUsdgAbi,
      bytecode: testUsdgBytecode,
      args: [minterAddress ?? deployer.wallet.account.address],
    }),
  );
  const usdgListing = { token: usdg, unit: 1n, depositLimit: NO_DEPOSIT_LIMIT };
  return { usdg, ...(await deployLedger(deployer, [usdgListing, ETH_LISTING])) };
}

/** Reports whether a chain has the published USDG, and is no copy of such a chain in an anvil. */
async function isPublic(reader: PublicClient): Promise<boolean> {
  const published = await Promise.all(Object.values(CHAIN_ID).map((id) => hasCode(reader, PUBLISHED_USDG[id])));
  if (!published.includes(true)) return false;
  const version = await reader.request({ method: "web3_clientVersion" });
  return !version.startsWith("anvil/");
}
