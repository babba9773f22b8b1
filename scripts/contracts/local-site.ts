import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Address, type Hex, numberToHex, parseEther, type TransactionReceipt } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { ledgerAbi } from "../../lib/chain/abi/ledger.ts";
import type { Prove } from "../../lib/ledger/prepare/witness.ts";
import { freePort } from "../../test/services/free-port.ts";
import { deployLocal } from "../deploy-local.ts";
import { removeFolder } from "../stack/files";
import { LocalChain } from "../stack/local-chain.ts";
import { type ChainAccess, connect } from "./connect.ts";
import type { Deployer } from "./deploy-deterministic.ts";
import { ALICE_KEY, type LedgerCall, type LedgerSite } from "./every-call.ts";

const CHAIN_ID = 46630;
const RELAYER_KEY = numberToHex(0x4e1a, { size: 32 });

/** A ledger on its own local chain. */
export interface LocalSite extends Omit<LedgerSite, "send"> {
  /** `reader` reads the chain; `wallet` relays calls. */
  relayer: Deployer;
  deployedBlock: bigint;
  /** Sends a call. Throws if it is reverted. */
  transact(call: Pick<LedgerCall, "sender" | "to" | "data">): Promise<TransactionReceipt>;
}

/** Starts a new local chain and deploys the ledger to it. `stop` ends the chain. */
export async function startLocalSite(prove: Prove): Promise<{ site: LocalSite; stop: () => Promise<void> }> {
  const data = mkdtempSync(path.join(tmpdir(), "halcyon-ledger-"));
  const port = await freePort();
  const genesisTime = Math.floor(Date.now() / 1000);
  const chain = new LocalChain({ chainId: CHAIN_ID, port, data, genesisTime, faucetKey: RELAYER_KEY, say() {} });
  const stop = async () => {
    await chain.stop();
    removeFolder(data);
  };
  try {
    await chain.start();
    return { site: await deploySite(chain.url, prove), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function deploySite(rpcUrl: string, prove: Prove): Promise<LocalSite> {
  const access: ChainAccess = { rpcUrl, chainId: CHAIN_ID, deployerKey: RELAYER_KEY };
  const relayer = await connect(access);
  const { reader } = relayer;
  const transactAs = async ({ wallet }: Deployer, to: Address, request: { data?: Hex; value?: bigint }) => {
    const hash = await wallet.sendTransaction({ to, ...request });
    const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    if (receipt.status !== "success") throw new Error(`transaction ${hash} was reverted`);
    return receipt;
  };
  const aliceAddress = privateKeyToAddress(ALICE_KEY);
  await transactAs(relayer, aliceAddress, { value: parseEther("1") });
  const alice = await connect({ ...access, deployerKey: ALICE_KEY });
  const { ledger, usdg, deployedBlock } = await deployLocal({ ...access, minterAddress: aliceAddress });
  const domainSalt = await reader.readContract({ address: ledger, abi: ledgerAbi, functionName: "domainSalt" });
  const { timestamp } = await reader.getBlock();
  return {
    scope: { chainId: CHAIN_ID, ledger, domainSalt },
    usdg,
    now: timestamp,
    prove,
    relayer,
    deployedBlock,
    transact: ({ sender, to, data }) => transactAs(sender === "alice" ? alice : relayer, to, { data }),
  };
}
