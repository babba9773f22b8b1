import { encodeDeployData, zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { ledgerBytecode } from "@/lib/chain/abi/bytecode";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { verifiersOf } from "@/lib/chain/verifiers-of";
import { connect } from "@/scripts/contracts/connect";
import { deployDeterministic } from "@/scripts/contracts/deploy-deterministic";
import { FAUCET_KEY } from "@/test/services/local-env";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { requireMatchingVerifiers } from "./require-matching-verifiers";
import { serviceStatus } from "./service-status";

let services: LocalServices;
let node: LyingRpc;

/** Deploys a ledger of this version's code with other verifiers, as if for other proving keys. */
async function otherLedger(rpcUrl: string, ledger: string): Promise<string> {
  const deployer = await connect({ rpcUrl, chainId: 4663, deployerKey: FAUCET_KEY });
  const read = (functionName: "transferVerifier" | "releaseVerifier" | "fundVerifier" | "makeAvailableVerifier") =>
    deployer.reader.readContract({ address: ledger as `0x${string}`, abi: ledgerAbi, functionName });
  const [transfer, release, fund, makeAvailable] = await Promise.all([
    read("transferVerifier"),
    read("releaseVerifier"),
    read("fundVerifier"),
    read("makeAvailableVerifier"),
  ]);
  const others = { spend: transfer, spendPublic: release, payMany: fund };
  const args = [deployer.wallet.account.address, { transfer, release, fund, makeAvailable, ...others }] as const;
  const initCode = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args });
  return (await deployDeterministic(deployer, initCode)).address;
}

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_4663 = "", LEDGER_ADDRESS_4663 = "" }) => {
    node = await startLyingRpc(RPC_URL_4663);
    return { RPC_URL_4663: node.url, LEDGER_ADDRESS_4663: await otherLedger(RPC_URL_4663, LEDGER_ADDRESS_4663) };
  });
});

afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

test("a process starts with the ledger that this version deploys, and not with one that has other verifiers", async () => {
  await requireMatchingVerifiers([46630]);
  expect(Object.values(await verifiersOf(46630))).not.toContain(zeroAddress);
  const refused = requireMatchingVerifiers();
  await expect(refused).rejects.toThrow(EnvError);
  await expect(refused).rejects.toThrow(/^LEDGER_ADDRESS_4663 is a ledger whose verifiers are not those/);
  const { ok, parts } = await serviceStatus();
  expect(ok).toBe(false);
  expect(parts).toMatchObject({ contracts_46630: { state: "ok" }, contracts_4663: { state: "other_ledger" } });
});

test("what is no ledger is refused as well; a chain that does not respond is not waited for", async () => {
  // Verifiers are cached by the ledger's address, so use addresses not asked before.
  const chain = env().chains.live;
  const before = { ...chain };
  try {
    Object.assign(chain, { ledger: `0x${"aa".repeat(20)}` });
    await expect(requireMatchingVerifiers([4663])).rejects.toThrow(EnvError);
    node.away(true);
    Object.assign(chain, { ledger: `0x${"bb".repeat(20)}` });
    await requireMatchingVerifiers([4663]);
  } finally {
    Object.assign(chain, before);
  }
});
