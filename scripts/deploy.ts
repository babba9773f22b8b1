/**
 * `npm run deploy`: deploys verifiers and ledger to the chain of a node, lists USDG and ETH, and prints the variables
 * of that chain for web and worker. Safe to repeat: it does only what is missing.
 *
 *   DEPLOYER_KEY=0x… npm run deploy -- --rpc URL [--usdg ADDRESS | --local]
 */
import { parseArgs } from "node:util";
import { type Address, BaseError, erc20Abi, isAddress, isHex, size } from "viem";
import { EnvError, readSecret } from "../lib/base/env-secrets.ts";
import { PUBLISHED_USDG } from "../lib/base/env-variables.ts";
import { CHAIN_ID, networkOf } from "../lib/base/network.ts";
import { type ChainAccess, connect } from "./contracts/connect.ts";
import { hasCode } from "./contracts/deploy-deterministic.ts";
import { type DeployedLedger, deployLedger, ETH_LISTING, NO_DEPOSIT_LIMIT } from "./contracts/deploy-ledger.ts";
import { checkKeysFitFor } from "./contracts/keys-fit-for.ts";
import { deployLocal } from "./deploy-local.ts";
import { StackError } from "./stack/config.ts";
import { rpc } from "./stack/rpc.ts";

const USAGE = `usage: DEPLOYER_KEY=0x… npm run deploy -- --rpc URL [--usdg ADDRESS | --local]
  --rpc    a node of chain ${CHAIN_ID.test} (test) or ${CHAIN_ID.live} (live)
  --usdg   the token, where it is another than the published USDG of that chain
  --local  on a development chain of your own: deploys a test USDG too, and takes the development keys`;

type Deployed = DeployedLedger & { usdg: Address };

/** Deploys to a chain that may hold real money: with the token that is there, and keys that fit. */
async function deployPublic(access: ChainAccess, usdg: Address): Promise<Deployed> {
  await checkKeysFitFor({ publicLive: access.chainId === CHAIN_ID.live });
  const deployer = await connect(access);
  if (!(await hasCode(deployer.reader, usdg))) {
    throw new StackError(
      `There is no token at ${usdg}. Name yours with --usdg or, on a development chain of your own, use --local.`,
    );
  }
  const token = { address: usdg, abi: erc20Abi } as const;
  const symbol = await deployer.reader.readContract({ ...token, functionName: "symbol" });
  const decimals = await deployer.reader.readContract({ ...token, functionName: "decimals" });
  // Clients compare both before they pay.
  if (symbol !== "USDG" || decimals !== 6) {
    throw new StackError(`The token at ${usdg} is ${symbol} with ${decimals} decimals, not USDG with 6.`);
  }
  const listing = { token: usdg, unit: 1n, depositLimit: NO_DEPOSIT_LIMIT };
  return { usdg, ...(await deployLedger(deployer, [listing, ETH_LISTING])) };
}

async function main(): Promise<void> {
  const { rpc: rpcUrl, usdg, local } = readArguments();
  const deployerKey = readSecret("DEPLOYER_KEY");
  if (!isHex(deployerKey) || size(deployerKey) !== 32) {
    throw new StackError(
      "Set DEPLOYER_KEY, or DEPLOYER_KEY_FILE, to the deployer's private key: 0x and 64 hex digits.",
    );
  }
  const served = Number(await rpc<string>(rpcUrl, "eth_chainId").catch(noNode));
  const chainId = CHAIN_ID[networkOf(served)];
  const access = { rpcUrl, chainId, deployerKey };
  const found = local ? await deployLocal(access) : await deployPublic(access, usdg ?? PUBLISHED_USDG[chainId]);
  console.log(`RPC_URL_${chainId}=${rpcUrl}`);
  console.log(`LEDGER_ADDRESS_${chainId}=${found.ledger}`);
  console.log(`LEDGER_BLOCK_${chainId}=${found.deployedBlock}`);
  console.log(`USDG_ADDRESS_${chainId}=${found.usdg}`);
  if (!local) return;
  // Not on standard output, which may go into a file for both chains.
  console.error(
    `Name ${chainId} in HALCYON_LOCAL_CHAINS, and set FAUCET_KEY to the key in DEPLOYER_KEY: it holds the ether and mints the USDG.`,
  );
}

function noNode(error: Error): never {
  const { message } = error.cause instanceof Error ? error.cause : error;
  throw new StackError(`No node responds at the address of --rpc: ${message}`);
}

/** @throws StackError with the usage */
function readArguments(): { rpc: string; usdg?: Address; local: boolean } {
  try {
    const { values } = parseArgs({
      options: { rpc: { type: "string" }, usdg: { type: "string" }, local: { type: "boolean", default: false } },
    });
    const { rpc: url, usdg, local } = values;
    if (url === undefined || !URL.canParse(url) || (usdg !== undefined && local)) throw new Error(USAGE);
    if (usdg === undefined) return { rpc: url, local };
    if (!isAddress(usdg, { strict: false })) throw new Error(USAGE);
    return { rpc: url, usdg, local };
  } catch {
    throw new StackError(USAGE);
  }
}

/** What the operator can act on. viem's own messages quote the whole request. */
function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(" ");
  if (error instanceof EnvError || error instanceof StackError) return error.message;
  return error instanceof Error ? `The ledger is not deployed: ${error.message}` : String(error);
}

try {
  await main();
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
