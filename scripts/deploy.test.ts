import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, http, numberToHex, parseEther, zeroAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "@/test/services/free-port";
import { ledgerAbi } from "../lib/chain/abi/ledger";
import { foundryBinary } from "./stack/binaries";
import { ROOT } from "./stack/config";
import { isOtherLedger } from "./stack/is-other-ledger";
import { program } from "./stack/program";

const KEY = numberToHex(0xde9107, { size: 32 });

/** A development node as its own makers start it: nothing of ours, and without the factory that an anvil usually has. */
let node: ChildProcess;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const args = ["--chain-id", "46630", "--port", String(port), "--disable-default-create2-deployer"];
  node = spawn(foundryBinary("anvil"), args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    node.once("exit", () => reject(new Error("anvil did not start")));
    let words = "";
    node.stdout?.on("data", (chunk) => {
      words += chunk;
      if (words.includes("Listening on")) resolve();
    });
  });
  await call("anvil_setBalance", [privateKeyToAddress(KEY), numberToHex(parseEther("10"))]);
});
afterAll(async () => {
  const gone = new Promise((resolve) => node.once("exit", resolve));
  node.kill();
  await gone;
});

async function call(method: string, params: unknown[]): Promise<void> {
  await createPublicClient({ transport: http(url) }).request({ method, params } as never);
}

/** Runs what `npm run deploy` runs. */
async function deploy(rpc: string, ...more: string[]): Promise<{ code: number; printed: string; said: string }> {
  const child = spawn(process.execPath, [await program("scripts/deploy.ts"), "--rpc", rpc, ...more], {
    cwd: ROOT,
    env: { ...process.env, DEPLOYER_KEY: KEY },
  });
  let [printed, said] = ["", ""];
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  const code = await new Promise<number>((resolve) => child.once("close", resolve));
  return { code, printed, said };
}

it("deploys to anyone's node, and prints what the service needs; a second time it sends nothing", async () => {
  const reader = createPublicClient({ transport: http(url) });
  const sent = () => reader.getTransactionCount({ address: privateKeyToAddress(KEY) });

  // Nothing says that this is a development chain, and there is no token.
  const refused = await deploy(url);
  expect(refused).toMatchObject({ code: 1, printed: "" });
  expect(refused.said).toMatch(/^There is no token at 0x\w+\. Name yours with --usdg or, .* use --local\.\n$/);
  expect(await sent()).toBe(0);

  const first = await deploy(url, "--local");
  expect(first.said).toContain("HALCYON_LOCAL_CHAINS");
  expect(`${first.said}${first.printed}`).not.toContain(KEY);
  const variables =
    /^RPC_URL_46630=(.+)\nLEDGER_ADDRESS_46630=(0x\w{40})\nLEDGER_BLOCK_46630=(\d+)\nUSDG_ADDRESS_46630=(0x\w{40})\n$/;
  expect(first.printed).toMatch(variables);
  const [, rpc, ledger, block, usdg] = (variables.exec(first.printed) ?? []) as unknown as [
    string,
    string,
    `0x${string}`,
    string,
    `0x${string}`,
  ];
  expect(rpc).toBe(url);
  expect(await isOtherLedger(url, ledger)).toBe(false);
  const codeAt = async (blockNumber: bigint) => reader.getCode({ address: ledger, blockNumber });
  expect(await codeAt(BigInt(block) - 1n)).toBeUndefined();
  expect(await codeAt(BigInt(block))).toBeDefined();
  const asset = (token: `0x${string}`) =>
    reader.readContract({ address: ledger, abi: ledgerAbi, functionName: "assetOf", args: [token] });
  expect(await asset(usdg)).toEqual([true, 1n, 2n ** 64n - 1n]);
  expect(await asset(zeroAddress)).toEqual([true, 10n ** 9n, 2n ** 64n - 1n]);

  const before = await sent();
  expect(await deploy(url, "--local")).toEqual(first);
  // The same ledger, with a token that is there already.
  expect(await deploy(url, "--usdg", usdg)).toEqual({ code: 0, printed: first.printed, said: "" });
  expect(await sent()).toBe(before);
});

/** A node that responds the same for every address. It stands in for the public chains. */
async function nodeOf(chainId: number): Promise<Server> {
  const results: Record<string, string> = {
    eth_chainId: numberToHex(chainId),
    eth_getBalance: "0xde0b6b3a7640000",
    eth_getCode: "0x60",
    web3_clientVersion: "nitro/v3",
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text);
    const result = results[method];
    const reply = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

it.each([
  [4663, [], "the proving keys are not fit for real money"],
  [4663, ["--local"], "a test USDG belongs on development chains only"],
  [1, ["--local"], "chain 1 is neither 46630 nor 4663"],
])("refuses the public chain %i with %j", async (chainId, more, reason) => {
  const server = await nodeOf(chainId);
  try {
    const { code, printed, said } = await deploy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...more);
    expect(said).toContain(reason);
    expect(said).not.toMatch(/^ +at /m);
    expect([code, printed]).toEqual([1, ""]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
