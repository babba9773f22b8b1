import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { keccak256, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "@/test/services/free-port";
import { passTime } from "@/test/services/pass-time";
import { Anvil, SAFE_BEHIND } from "./anvil";
import { removeFolder } from "./files";
import { LocalChain } from "./local-chain";
import { endProcess, recordedPid, sleep } from "./processes";
import { rpc } from "./rpc";

const KEY = `0x${"11".repeat(32)}` as const;
const SNAPSHOT_EVERY = 40;
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
  const settings = { origin: SITE, snapshotEvery: SNAPSHOT_EVERY, say: () => {} };
  chain = new LocalChain({ chainId: 46630, port, data, ...genesis, ...settings });
  await chain.start();
}

/** Signs a transaction with the next nonce. */
function sign(to: `0x${string}` | undefined, data: `0x${string}`, maxFeePerGas = 10n ** 10n): Promise<`0x${string}`> {
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas / 10n };
  return faucet.signTransaction({ chainId: 46630, type: "eip1559", nonce, gas: 200_000n, to, data, ...fees });
}

/** Sends a transaction and waits for its receipt. */
async function send(to: `0x${string}` | undefined, input: `0x${string}`): Promise<{ contractAddress: `0x${string}` }> {
  const raw = await sign(to, input);
  nonce++;
  const hash = await call<string>("eth_sendRawTransaction", [raw]);
  sent.push(hash);
  for (;;) {
    const receipt = await call<{ contractAddress: `0x${string}` } | null>("eth_getTransactionReceipt", [hash]);
    if (receipt) return receipt;
    await sleep(5);
  }
}

/** Returns everything an observer can have seen up to a block. Its hash covers all blocks before it. */
async function seen(upTo: number): Promise<unknown> {
  const toBlock = numberToHex(upTo);
  const { hash } = await call<{ hash: string }>("eth_getBlockByNumber", [toBlock, false]);
  const logs = await call("eth_getLogs", [{ fromBlock: "0x0", toBlock }]);
  const receipts = await Promise.all(sent.map((one) => call("eth_getTransactionReceipt", [one])));
  return { hash, logs, receipts };
}

async function killAnvil(): Promise<void> {
  await endProcess(recordedPid(data, "anvil-46630") ?? 0, data, "SIGKILL", 0);
}

/** Resolves when anvil, after it was killed, is back with at least this many blocks. */
async function untilBack(top: number): Promise<void> {
  for (let up = false; !up; await sleep(50))
    up = await height()
      .then((n) => n >= top)
      .catch(() => false);
}

/** Kills anvil, and expects that it comes back with everything that an observer can have seen. */
async function expectSameAfterKill(): Promise<void> {
  const top = await height();
  const before = await seen(top);
  await killAnvil();
  await untilBack(top);
  expect(await seen(top)).toEqual(before);
}

/** Does something just before the chain calls a method of anvil for the first time. Call what it returns to end this. */
function justBefore(name: string, work: (anvil: Anvil["call"], params: unknown[]) => Promise<void>): () => void {
  const real = Anvil.prototype.call;
  let isDone = false;
  const spy = vi.spyOn(Anvil.prototype, "call").mockImplementation(async function (this: Anvil, method, params = []) {
    if (method === name && !isDone) {
      isDone = true;
      await work(real.bind(this) as Anvil["call"], params);
    }
    return real.call(this, method, params);
  });
  return () => spy.mockRestore();
}

/** Makes the clock run a hundred times as fast until a chain, which is idle by then, has written a new snapshot. */
async function untilItWritesASnapshot(folder: string): Promise<void> {
  const written = () =>
    statSync(path.join(folder, "chains", "46630", "snapshot.json.gz"), { throwIfNoEntry: false })?.mtimeMs;
  const before = written();
  const real = Date.now;
  const began = real();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => began + 100 * (real() - began));
  try {
    while (written() === before) await sleep(20);
  } finally {
    clock.mockRestore();
  }
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
  removeFolder(data);
});

it("serves pages of the site, and has browsers keep its responses from all others", async () => {
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  const { headers: response } = await fetch(`http://127.0.0.1:${port}`, { method: "OPTIONS", headers });
  expect(response.get("access-control-allow-origin")).toBe(SITE);
});

describe("a local chain", () => {
  it("keeps every block, hash, receipt and log when anvil is killed", async () => {
    await expectSameAfterKill();
  });

  it("keeps them across a stop, and from its snapshot when killed after one", async () => {
    const top = await height();
    const before = await seen(top);
    await chain.stop();
    await startChain();
    expect(await seen(top)).toEqual(before);
    await send(faucet.address, "0x");
    await expectSameAfterKill();
  });

  it("keeps its time when someone has moved it on", async () => {
    await passTime(chain.url, 90_000);
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
    const pid = recordedPid(data, "anvil-46630");
    let theirs = 0;
    const restore = justBefore("evm_mine", async (anvil, params) => {
      theirs = (params as { timestamp: number }[])[0]?.timestamp ?? 0;
      await anvil("evm_mine", [{ timestamp: theirs + 5_000 }]);
    });
    await send(faucet.address, "0x");
    restore();
    expect(theirs).toBeGreaterThan(0);
    await send(faucet.address, "0x");
    expect(recordedPid(data, "anvil-46630")).toBe(pid);
    await expectSameAfterKill();
  });

  it("goes on when a waiting transaction is replaced just before it journals it, and keeps what replaced it", async () => {
    const pid = recordedPid(data, "anvil-46630");
    const replacement = await sign(faucet.address, "0x", 10n ** 11n);
    let replaced = false;
    const restore = justBefore("eth_getRawTransactionByHash", async (anvil) => {
      replaced = true;
      await anvil("eth_sendRawTransaction", [replacement]);
    });
    await call("eth_sendRawTransaction", [await sign(faucet.address, "0x")]);
    sent.push(keccak256(replacement));
    nonce++;
    await send(faucet.address, "0x");
    restore();
    expect(replaced).toBe(true);
    expect(recordedPid(data, "anvil-46630")).toBe(pid);
    await expectSameAfterKill();
  });

  it("keeps what a reorganization has left, also of blocks that a snapshot held, and what came after it", async () => {
    await call("anvil_mine", [numberToHex(SNAPSHOT_EVERY)]);
    await untilItWritesASnapshot(data);
    for (const depths of [[12, 3, 4], [2]]) {
      for (const depth of depths) {
        await send(faucet.address, "0x");
        await send(faucet.address, "0x");
        await call("anvil_reorg", [depth, []]);
        // The transactions of the blocks that were taken away are forgotten.
        nonce = Number(await call<string>("eth_getTransactionCount", [faucet.address, "latest"]));
        await send(faucet.address, "0x");
      }
      await expectSameAfterKill();
    }
    const top = await height();
    const before = await seen(top);
    await chain.stop();
    // The journal alone is enough.
    rmSync(path.join(data, "chains", "46630", "snapshot.json.gz"));
    await startChain();
    expect(await seen(top)).toEqual(before);
  });

  it("keeps an empty block that differs in its fee alone from the one that it had restored", async () => {
    await send(faucet.address, "0x");
    await call("anvil_mine", ["0x3"]);
    const empty = numberToHex(await height());
    const blockOf = () => call<{ hash: string; parentHash: string }>("eth_getBlockByNumber", [empty, false]);
    // Before the next block, the empty ones are journaled.
    await send(faucet.address, "0x");
    await expectSameAfterKill();
    const restored = await blockOf();
    await call("anvil_reorg", [(await height()) - Number(empty) + 1, []]);
    const { parentHash, hash } = await blockOf();
    expect([parentHash, hash === restored.hash]).toEqual([restored.parentHash, false]);
    nonce = Number(await call<string>("eth_getTransactionCount", [faucet.address, "latest"]));
    await send(faucet.address, "0x");
    await expectSameAfterKill();
  });

  it("comes back from its journal alone when its snapshot can't be read, also in a process that went on from it", async () => {
    const file = path.join(data, "chains", "46630", "snapshot.json.gz");
    await chain.stop();
    await startChain();
    writeFileSync(file, "cut off");
    await expectSameAfterKill();
    await chain.stop();
    writeFileSync(file, "cut off");
    await startChain();
    await send(faucet.address, "0x");
    await expectSameAfterKill();
  });

  it("comes back after a kill that follows a reorganization at once, and goes on", async () => {
    for (let times = 0; times < 5; times++) {
      await send(faucet.address, "0x");
      await send(faucet.address, "0x");
      await call("anvil_reorg", [2, []]);
      await killAnvil();
      await untilBack(1);
      nonce = Number(await call<string>("eth_getTransactionCount", [faucet.address, "latest"]));
    }
    await send(faucet.address, "0x");
    expect(await height()).toBeGreaterThan(0);
  });

  it("drops a block whose line was not written to its end: no one has seen it", async () => {
    await send(faucet.address, "0x");
    await chain.stop();
    const file = path.join(data, "chains", "46630", "journal.jsonl");
    rmSync(path.join(data, "chains", "46630", "snapshot.json.gz"));
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    truncateSync(file, Buffer.byteLength(`${lines.join("\n")}\n`) - 5);
    const { number } = JSON.parse(lines.at(-1) ?? "{}") as { number: number };
    await startChain();
    // It may have mined an empty one in its place since.
    expect(await height()).toBeGreaterThanOrEqual(number - 1);
    const block = await call<{ transactions: string[] } | null>("eth_getBlockByNumber", [numberToHex(number), false]);
    expect(block?.transactions ?? []).toEqual([]);
  });
});

it("calls a block final once others are on top of it, where finality is behind", async () => {
  const behind = mkdtempSync(path.join(tmpdir(), "halcyon-chain-"));
  const at = await freePort();
  const genesis = { chainId: 46630, genesisTime: 1_790_000_000, faucetKey: KEY };
  const steady = new LocalChain({ ...genesis, port: at, data: behind, finality: "safe", say: () => {} });
  try {
    await steady.start();
    const numberOf = async (tag: string) =>
      Number((await rpc<{ number: string }>(steady.url, "eth_getBlockByNumber", [tag, false])).number);
    // No one sends anything.
    while ((await numberOf("safe")) < 2) await sleep(50);
    expect(await numberOf("latest")).toBeGreaterThanOrEqual(2 + SAFE_BEHIND);
  } finally {
    await steady.stop();
    removeFolder(behind);
  }
});

it("writes a snapshot only when it is idle: while anvil dumps its state it responds to no one", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-chain-"));
  const genesis = { chainId: 46630, genesisTime: 1_790_000_000, faucetKey: KEY };
  const idle = new LocalChain({ ...genesis, port: await freePort(), data: folder, snapshotEvery: 5, say: () => {} });
  const calls = vi.spyOn(Anvil.prototype, "call");
  const dumps = () => calls.mock.calls.filter(([method]) => method === "anvil_dumpState").length;
  try {
    await idle.start();
    const mined = async () => Number(await rpc<string>(idle.url, "eth_blockNumber"));
    await rpc(idle.url, "anvil_mine", [numberToHex(10)]);
    // Its own empty blocks, shortly after others.
    while ((await mined()) < 12) await sleep(20);
    expect(dumps()).toBe(0);
    await untilItWritesASnapshot(folder);
    expect(dumps()).toBeGreaterThan(0);
  } finally {
    calls.mockRestore();
    await idle.stop();
    removeFolder(folder);
  }
});
