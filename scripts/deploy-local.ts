import { type Address, encodeDeployData } from "viem";
import { testUsdgBytecode } from "../lib/chain/abi/bytecode.ts";
import { testUsdgAbi } from "../lib/chain/abi/test-usdg.ts";
import { type ChainAccess, connect } from "./contracts/connect.ts";
import { deployDeterministic } from "./contracts/deploy-deterministic.ts";
import { type DeployedLedger, deployLedger, ETH_LISTING, NO_DEPOSIT_LIMIT } from "./contracts/deploy-ledger.ts";
import { checkKeysFitFor } from "./contracts/keys-fit-for.ts";

/**
 * Deploys the verifiers, the ledger and the test USDG to a local anvil and lists USDG (unit 1) and ETH (unit 1 gwei).
 * Safe to repeat: it sends nothing if all of it exists, and changed contracts get new addresses.
 *
 * @param minterAddress who may mint the test USDG; the deployer by default
 * @returns the addresses and the block in which the ledger was deployed
 * @throws Error when the chain is not an anvil, a proving key has no contribution, or a transaction fails
 */
export async function deployLocal({
  minterAddress,
  ...access
}: ChainAccess & { minterAddress?: Address }): Promise<DeployedLedger & { usdg: Address }> {
  await checkKeysFitFor({ publicLive: false });
  const { local, ...deployer } = await connect(access);
  if (!local) throw new Error(`${access.rpcUrl} is no anvil: the test USDG belongs on local chains only`);
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
