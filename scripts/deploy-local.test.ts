import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPublicClient, http, numberToHex, zeroAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "@/test/services/free-port";
import { ledgerAbi } from "../lib/chain/abi/ledger";
import { deployLocal } from "./deploy-local";
import { removeFolder } from "./stack/files";
import { LocalChain } from "./stack/local-chain";

const deployerKey = numberToHex(0xde9107, { size: 32 });
const data = mkdtempSync(path.join(tmpdir(), "halcyon-deploy-"));
let chain: LocalChain;

beforeAll(async () => {
  const genesisTime = Math.floor(Date.now() / 1000);
  chain = new LocalChain({
    chainId: 4663,
    port: await freePort(),
    data,
    genesisTime,
    faucetKey: deployerKey,
    say() {},
  });
  await chain.start();
});

afterAll(async () => {
  await chain.stop();
  removeFolder(data);
});

it("deploys once, lists USDG and ETH, and sends nothing when everything is there", async () => {
  const access = { rpcUrl: chain.url, chainId: 4663, deployerKey };
  const reader = createPublicClient({ transport: http(chain.url) });
  const first = await deployLocal(access);
  const sent = () => reader.getTransactionCount({ address: privateKeyToAddress(deployerKey) });
  const before = await sent();
  expect(await deployLocal(access)).toEqual(first);
  expect(await sent()).toBe(before);
  const asset = (token: `0x${string}`) =>
    reader.readContract({ address: first.ledger, abi: ledgerAbi, functionName: "assetOf", args: [token] });
  expect(await asset(first.usdg)).toEqual([true, 1n, 2n ** 64n - 1n]);
  expect(await asset(zeroAddress)).toEqual([true, 10n ** 9n, 2n ** 64n - 1n]);
});

it("refuses an RPC that serves another chain", async () => {
  await expect(deployLocal({ rpcUrl: chain.url, chainId: 46630, deployerKey })).rejects.toThrow("serves chain 4663");
});
