import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "@/test/services/free-port";
import { ROOT, type StackError } from "./config";
import { removeFolder } from "./files";
import { LocalChain } from "./local-chain";
import { endLeftovers, endProcess, recordedPid, sleep } from "./processes";
import { program } from "./program";
import { RpcError, rpc } from "./rpc";

const KEY = `0x${"11".repeat(32)}` as const;
const faucet = privateKeyToAccount(KEY);
const genesis = { chainId: 46630, genesisTime: 1_790_000_000, faucetKey: KEY } as const;

interface Receipt {
  blockHash: string;
  transactionHash: string;
}

/** Sends one transaction after another, whatever happens to the chain, and remembers what the chain returned. */
class Sender {
  readonly seen = new Map<string, Receipt>();
  readonly sent: { hash: string; raw: string }[] = [];
  private stopped = false;
  private readonly running: Promise<void>[];
  private readonly call = <T>(method: string, params: unknown[]) => rpc<T>(url(), method, params);

  constructor() {
    sending = this;
    this.running = [this.run(() => this.sendNext()), this.run(() => this.look())];
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /** Waits until this many more receipts were seen. */
  async progress(more: number): Promise<void> {
    for (const wanted = this.seen.size + more; this.seen.size < wanted; ) await sleep(5);
  }

  private async run(step: () => Promise<unknown>): Promise<void> {
    // Retry while the chain is down, as the worker does.
    while (!this.stopped) await step().catch(() => sleep(5));
  }

  private async sendNext(): Promise<void> {
    if (this.sent.length - this.seen.size < 20) await this.make();
    for (const { raw, hash } of this.sent) {
      if (this.seen.has(hash)) continue;
      // The chain refuses a transaction that it already has.
      await this.call<string>("eth_sendRawTransaction", [raw]).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
      });
    }
  }

  private async make(): Promise<void> {
    const { length: nonce } = this.sent;
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 100_000n };
    const raw = await faucet.signTransaction({ chainId: 46630, type: "eip1559", nonce, ...fees, to: faucet.address });
    this.sent.push({ raw, hash: keccak256(raw) });
  }

  private async look(): Promise<void> {
    for (const { hash } of this.sent) {
      if (this.seen.has(hash)) continue;
      const receipt = await this.call<Receipt | null>("eth_getTransactionReceipt", [hash]);
      if (receipt) this.seen.set(hash, receipt);
      else await sleep(2);
    }
  }
}

let data = "";
let port = 0;
let chain: LocalChain | undefined;
let supervisor: ChildProcess | undefined;
let sending: Sender | undefined;
let said: string[] = [];
let givenUp: StackError | undefined;
const url = () => `http://127.0.0.1:${port}`;
const folder = () => path.join(data, "chains", "46630");
const journal = () => path.join(folder(), "journal.jsonl");

async function startChain(): Promise<void> {
  said = [];
  chain = new LocalChain({
    ...genesis,
    port,
    data,
    say: (line) => said.push(line),
    onGivenUp: (error) => {
      givenUp = error;
    },
  });
  await chain.start();
}

const killAnvil = () => endProcess(recordedPid(data, "anvil-46630") ?? 0, data, "SIGKILL", 0);

/**
 * Checks that the chain returns everything that was seen before, and that a chain restored from the journal alone does
 * too.
 */
async function expectNothingForgotten(seen: Map<string, Receipt>): Promise<void> {
  const compare = async () => {
    for (const [hash, receipt] of seen) {
      expect(await rpc(url(), "eth_getTransactionReceipt", [hash])).toEqual(receipt);
    }
  };
  await compare();
  await chain?.stop();
  rmSync(path.join(folder(), "snapshot.json.gz"), { force: true });
  await startChain();
  await compare();
}

beforeEach(async () => {
  data = mkdtempSync(path.join(tmpdir(), "halcyon-chain-"));
  port = await freePort();
  givenUp = undefined;
});

afterEach(async () => {
  await sending?.stop();
  supervisor?.kill("SIGKILL");
  await chain?.stop().catch(() => undefined);
  chain = undefined;
  await endLeftovers(data);
  removeFolder(data);
});

it("forgets nothing anyone has seen when anvil is killed again and again while people send", async () => {
  await startChain();
  const sender = new Sender();
  for (let kill = 0; kill < 4; kill++) {
    await sender.progress(3);
    await killAnvil();
  }
  await sender.progress(3);
  await sender.stop();
  expect(givenUp).toBeUndefined();
  await expectNothingForgotten(sender.seen);
});

it("forgets nothing when its supervisor is killed while people send", async () => {
  const script = await program("test/chain/local-chain.ts");
  const start = async () => {
    const child = spawn(process.execPath, [script, String(port), data, KEY], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    supervisor = child;
    await new Promise((resolve) => child.stdout.once("data", resolve));
  };
  await start();
  const sender = new Sender();
  const kill = async () => {
    const gone = new Promise((resolve) => supervisor?.once("exit", resolve));
    supervisor?.kill("SIGKILL");
    await gone;
    await endLeftovers(data);
  };
  await sender.progress(3);
  await kill();
  await start();
  await sender.progress(3);
  await sender.stop();
  await kill();
  await startChain();
  await expectNothingForgotten(sender.seen);
});

it("mines nothing while its journal cannot be written, and continues when it can be again", async () => {
  // Simulates a full disk without root: the kernel writes what fits, then refuses.
  const limit = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  await startChain();
  const sender = new Sender();
  try {
    await sender.progress(2);
    limit(statSync(journal()).size + 10);
    while (!said.some((line) => line.includes("mines nothing"))) await sleep(5);
    // Even if anvil dies in the meantime, everything that was seen is on disk.
    await killAnvil();
    while (!said.some((line) => line.includes("is back"))) await sleep(5);
    const { size } = statSync(journal());
    expect(readFileSync(journal(), "utf8").endsWith("\n")).toBe(true);
    expect(size).toBeLessThanOrEqual(statSync(journal()).size);
    limit("unlimited");
    await sender.progress(2);
  } finally {
    limit("unlimited");
    await sender.stop();
    process.off("SIGXFSZ", ignore);
  }
  await expectNothingForgotten(sender.seen);
});

it("refuses a journal that lacks a transaction, with the remedy, and shows no one the other chain", async () => {
  await startChain();
  const sender = new Sender();
  while (new Set([...sender.seen.values()].map(({ blockHash }) => blockHash)).size < 2) await sender.progress(1);
  await sender.stop();
  await chain?.stop();
  rmSync(path.join(folder(), "snapshot.json.gz"));
  const lines = readFileSync(journal(), "utf8").trimEnd().split("\n");
  const full = lines.filter((line) => !line.includes('"transactions":[]'));
  const { number } = JSON.parse(full[0] ?? "{}") as { number: number };
  // A later line with the same number replaces the earlier one.
  const at = lines.findLastIndex((line) => line.startsWith(`{"number":${number},`));
  lines[at] = lines[at]?.replace(/"transactions":\[.*\]/, '"transactions":[]') ?? "";
  const text = `${lines.join("\n")}\n`;
  writeFileSync(journal(), text);
  await expect(startChain()).rejects.toThrow(/does not come out as it was.*backup/s);
  expect((await fetch(url(), { method: "POST", body: "{}" })).status).toBe(503);
  expect(readFileSync(journal(), "utf8")).toBe(text);
});

it("gives up loudly when that shows only after anvil was killed", async () => {
  await startChain();
  const sender = new Sender();
  await sender.progress(2);
  await sender.stop();
  // Changes by cheat calls are not in the journal.
  const poor = privateKeyToAccount(`0x${"22".repeat(32)}`);
  await rpc(url(), "anvil_setBalance", [poor.address, "0xde0b6b3a7640000"]);
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 100_000n };
  const fields = { chainId: 46630, type: "eip1559" as const, nonce: 0, ...fees, to: faucet.address };
  const hash = await rpc<string>(url(), "eth_sendRawTransaction", [await poor.signTransaction(fields)]);
  while ((await rpc(url(), "eth_getTransactionReceipt", [hash])) === null) await sleep(5);
  await killAnvil();
  while (!givenUp) await sleep(5);
  expect(givenUp.message).toMatch(/cannot be restored: block \d+/);
  expect((await fetch(url(), { method: "POST", body: "{}" })).status).toBe(503);
});
