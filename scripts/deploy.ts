/**
 * Deploys verifiers and ledger to a public chain and lists USDG and ETH. Safe to repeat.
 *
 *   DEPLOYER_KEY=0x… npx tsx scripts/deploy.ts --network test|live [--rpc URL]
 */
import { parseArgs } from "node:util";
import { type Address, isHex } from "viem";
import { robinhood, robinhoodTestnet } from "viem/chains";
import { connect } from "./contracts/connect.ts";
import { deployLedger, ETH_LISTING, NO_DEPOSIT_LIMIT } from "./contracts/deploy-ledger.ts";
import { checkKeysFitFor } from "./contracts/keys-fit-for.ts";

const PUBLIC = {
  test: { chain: robinhoodTestnet, usdg: "0x7E955252E15c84f5768B83c41a71F9eba181802F" },
  live: { chain: robinhood, usdg: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168" },
} as const satisfies Record<string, { chain: { id: number }; usdg: Address }>;

const { values } = parseArgs({ options: { network: { type: "string" }, rpc: { type: "string" } } });
const deployerKey = process.env.DEPLOYER_KEY;
if (values.network !== "test" && values.network !== "live") throw new Error("--network is test or live");
if (!isHex(deployerKey)) throw new Error("DEPLOYER_KEY holds the deployer's private key, 0x and 64 hex digits");

const { chain, usdg } = PUBLIC[values.network];
const rpcUrl = values.rpc ?? chain.rpcUrls.default.http[0];
const { local, ...deployer } = await connect({ rpcUrl, chainId: chain.id, deployerKey });
if (local) throw new Error(`${rpcUrl} is a local chain: npm start deploys there`);
await checkKeysFitFor({ publicLive: values.network === "live" });
const usdgListing = { token: usdg, unit: 1n, depositLimit: NO_DEPOSIT_LIMIT };
const deployed = await deployLedger(deployer, [usdgListing, ETH_LISTING]);
console.log(`ledger ${deployed.ledger}, deployed in block ${deployed.deployedBlock}`);
