import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { foundryBinary } from "./binaries";
import { StackError } from "./config";
import { writeFileDurably } from "./files";
import { endProcess, forgetPid, recordPid, sleep } from "./processes";
import { rpc } from "./rpc";

export interface AnvilOptions {
  chainId: number;
  /** The stack's data folder, where its processes are recorded. */
  data: string;
  /** The chain's own folder. */
  folder: string;
  /** Unix seconds of the first block. */
  genesisTime: number;
  faucetKey: `0x${string}`;
  /** The origin whose pages may call it from a browser (CORS); none by default. */
  origin?: string;
  /** How many blocks `safe` is behind the newest one; `finalized` is twice as far. 32 by default. */
  epoch?: number;
  onExit: () => void;
}

const GENESIS_WEI = 10n ** 30n;
/** For how many blocks it keeps the state. A reorganization can't go deeper. */
export const ANVIL_REMEMBERS = 256;
/** How many blocks `safe` is behind the newest one if finality is behind; `finalized` is twice as far. */
export const SAFE_BEHIND = 8;
const NO_MINER = ["--no-mining", "--order", "fifo", "--prune-history", String(ANVIL_REMEMBERS)];
export const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/** How often to try another port if someone else took the first. */
const PORT_TRIES = 5;

/** anvil's process, on a port of its own choice. It executes and responds, but doesn't mine by itself. */
export class Anvil {
  /** The port on which it listens, which changes at each start. */
  port = 0;
  private readonly name: string;
  private child?: ChildProcess;

  constructor(private readonly options: AnvilOptions) {
    this.name = `anvil-${options.chainId}`;
  }

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  call<T>(method: string, params: unknown[] = []): Promise<T> {
    return rpc<T>(`http://127.0.0.1:${this.port}`, method, params);
  }

  /** Starts it from a snapshot, or else from the genesis. Resolves when it responds. */
  async start(snapshot?: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.port = await unusedPort();
      const complaint = await this.launch(snapshot);
      if (complaint === undefined) return;
      if (tries === PORT_TRIES || !/address.*in use/i.test(complaint)) {
        throw new StackError(`The local chain ${this.options.chainId} did not start: ${complaint.trim()}`);
      }
    }
  }

  /** Starts the process. Returns undefined when it responds, or its last output if it ended. */
  private async launch(snapshot?: string): Promise<string | undefined> {
    const { chainId, data, origin, epoch, onExit } = this.options;
    const from = snapshot ? ["--load-state", snapshot] : ["--init", this.genesisFile()];
    const own = ["--host", "127.0.0.1", "--port", String(this.port), "--chain-id", String(chainId), ...from];
    const cors = origin ? ["--allow-origin", origin] : ["--no-cors"];
    const behind = epoch ? ["--slots-in-an-epoch", String(epoch)] : [];
    const args = ["--silent", ...cors, "--accounts", "0", ...NO_MINER, ...behind, ...own];
    const child = spawn(foundryBinary("anvil"), args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    this.child = child;
    let complaint = "";
    child.stderr?.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-2_000);
    });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.once("exit", onExit);
    if (child.pid) recordPid(data, this.name, child.pid);
    for (let tries = 0; ; tries++) {
      if (!this.running) {
        await ended;
        return complaint;
      }
      try {
        await this.call("eth_chainId");
        return undefined;
      } catch (error) {
        if (tries > 1_500) throw error;
        await sleep(10);
      }
    }
  }

  /** Ends it like kill -9, so that no one sees its state. */
  async kill(): Promise<void> {
    if (this.running && this.child?.pid) await endProcess(this.child.pid, this.options.data, "SIGKILL", 0);
  }

  async stop(): Promise<void> {
    if (this.child?.pid) await endProcess(this.child.pid, this.options.data, "SIGTERM", 3_000);
    forgetPid(this.options.data, this.name);
  }

  private genesisFile(): string {
    const file = path.join(this.options.folder, "genesis.json");
    const { chainId, genesisTime, faucetKey } = this.options;
    const alloc = { [privateKeyToAddress(faucetKey)]: { balance: hex(GENESIS_WEI) } };
    const genesis = {
      config: { chainId },
      timestamp: hex(genesisTime),
      gasLimit: "0x1c9c380",
      difficulty: "0x0",
      alloc,
    };
    const text = `${JSON.stringify(genesis, null, 2)}\n`;
    // Skip the write if nothing changed, so that a full disk does not keep a chain from starting.
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileDurably(file, text, 0o600);
    return file;
  }
}

function unusedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
