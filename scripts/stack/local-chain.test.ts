import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "@/test/services/free-port";
import { Anvil } from "./anvil";
import { LocalChain } from "./local-chain";
import { endProcess, recordedPid, sleep } from "./processes";
import { rpc } from "./rpc";

const KEY = `0x${"11".repeat(32)}` as const;
const SITE = "http://localhost:3000";
const faucet = privateKeyToAccount(KEY);
/** Creation code of a contract that logs 32 bytes at every call. */
const LOGGER = "0x6006600c60003960066000f360206000a000";
const data = mkdtempSync(path.join(tmpdir(), "halcyon-chain-"));

let port = 0;
let chain: LocalChain;
let nonce = 0;
const sent: string[] = [];
const call = <T>(method: string, params: unknown[] = []) => rpc<T>(`http://127.0.0.1:${port}`, method, params);

async function startChain(): Promise<void> {
  const genesis = { genesisTime: 1_790_000_000, faucetKey: KEY };
  chain = new LocalChain({ chainId: 46630, port, data, ...genesis, origin: SITE, say: () => {} });
  await chain.start();
}

/** Sends a transaction and waits for its receipt. */
async function send(to: `0x${string}` | undefined, input: `0x${string}`): Promise<{ contractAddress: `0x${string}` }> {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const fields = { chainId: 46630, type: "eip1559" as const, nonce: nonce++, gas: 200_000n, ...fees };
  const raw = await faucet.signTransaction({ ...fields, to, data: input });
  const hash = await call<string>("eth_sendRawTransaction", [raw]);
  sent.push(hash);
  for (;;) {
    const receipt = await call<{ contractAddress: `0x${string}` } | null>("eth_getTransactionReceipt", [hash]);
    if (receipt) return receipt;
    await sleep(5);
  }
}

/** Everything an observer can have seen up to a block. */
async function seen(upTo: number): Promise<unknown> {
  const hex = (value: number) => `0x${value.toString(16)}`;
  const hashes: string[] = [];
  for (let n = 0; n <= upTo; n++) {
    hashes.push((await call<{ hash: string }>("eth_getBlockByNumber", [hex(n), false])).hash);
  }
  const logs = await call("eth_getLogs", [{ fromBlock: "0x0", toBlock: hex(upTo) }]);
  const receipts = await Promise.all(sent.map((hash) => call("eth_getTransactionReceipt", [hash])));
  return { hashes, logs, receipts };
}

async function killAnvil(): Promise<void> {
  await endProcess(recordedPid(data, "anvil-46630") ?? 0, data, "SIGKILL", 0);
}

async function height(): Promise<number> {
  return Number(await call<string>("eth_blockNumber"));
}

beforeAll(async () => {
  port = await freePort();
  await startChain();
  const { contractAddress } = await send(undefined, LOGGER);
  for (let i = 0; i < 10; i++) await send(contractAddress, "0x");
});

afterAll(async () => {
  await chain.stop();
  rmSync(data, { recursive: true, force: true });
});

it("serves pages of the site, and has browsers keep its responses from all others", async () => {
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  const { headers: response } = await fetch(`http://127.0.0.1:${port}`, { method: "OPTIONS", headers });
  expect(response.get("access-control-allow-origin")).toBe(SITE);
});

describe("a local chain", () => {
  it("keeps every block, hash, receipt and log when anvil is killed", async () => {
    const top = await height();
    const before = await seen(top);
    await killAnvil();
    for (let up = false; !up; await sleep(50))
      up = await height()
        .then((n) => n >= top)
        .catch(() => false);
    expect(await seen(top)).toEqual(before);
  });

  it("keeps them across a stop, and from its snapshot when killed after one", async () => {
    const top = await height();
    const before = await seen(top);
    await chain.stop();
    await startChain();
    expect(await seen(top)).toEqual(before);
    await send(faucet.address, "0x");
    const later = await height();
    const after = await seen(later);
    await killAnvil();
    for (let up = false; !up; await sleep(50))
      up = await height()
        .then((n) => n >= later)
        .catch(() => false);
    expect(await seen(later)).toEqual(after);
  });

  it("keeps its time when someone has moved it on", async () => {
    await call("evm_increaseTime", [90_000]);
    await call("evm_mine");
    await send(faucet.address, "0x");
    const top = await height();
    const before = await seen(top);
    await chain.stop();
    await startChain();
    await send(faucet.address, "0x");
    expect(await seen(top)).not.toEqual(before); // one receipt more
    sent.pop();
    expect(await seen(top)).toEqual(before);
    const { timestamp } = await call<{ timestamp: string }>("eth_getBlockByNumber", ["latest", false]);
    expect(Number(timestamp)).toBeGreaterThan(Date.now() / 1000 + 80_000);
  });

  it("goes on when someone mines a block of a later time just before its own, and keeps that one", async () => {
    const real = Anvil.prototype.call;
    const pid = recordedPid(data, "anvil-46630");
    let theirs = 0;
    const spy = vi.spyOn(Anvil.prototype, "call").mockImplementation(async function (this: Anvil, method, params = []) {
      if (method === "evm_mine" && theirs === 0) {
        theirs = (params as { timestamp: number }[])[0]?.timestamp ?? 0;
        await real.call(this, "evm_mine", [{ timestamp: theirs + 5_000 }]);
      }
      return real.call(this, method, params);
    });
    await send(faucet.address, "0x");
    spy.mockRestore();
    expect(theirs).toBeGreaterThan(0);
    await send(faucet.address, "0x");
    const top = await height();
    const before = await seen(top);
    expect(recordedPid(data, "anvil-46630")).toBe(pid);
    await killAnvil();
    for (let up = false; !up; await sleep(50))
      up = await height()
        .then((n) => n >= top)
        .catch(() => false);
    expect(await seen(top)).toEqual(before);
  });

  it("drops a block whose line was not written to its end: no one has seen it", async () => {
    await chain.stop();
    const file = path.join(data, "chains", "46630", "journal.jsonl");
    rmSync(path.join(data, "chains", "46630", "snapshot.json"));
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    truncateSync(file, Buffer.byteLength(`${lines.join("\n")}\n`) - 5);
    const { number } = JSON.parse(lines.at(-1) ?? "{}") as { number: number };
    await startChain();
    expect(await height()).toBe(number - 1);
  });
});
