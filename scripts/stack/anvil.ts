import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { foundryBinary } from "./binaries";
import { StackError } from "./config";
import { writeFileDurably } from "./files";
import { endProcess, forgetPid, recordPid, sleep } from "./processes";
import { rpc } from "./rpc";

export interface AnvilOptions {
  chainId: number;
  port: number;
  /** The stack's data folder, where its processes are recorded. */
  data: string;
  /** The chain's own folder. */
  folder: string;
  /** Unix seconds of the first block. */
  genesisTime: number;
  faucetKey: `0x${string}`;
  /** Whose pages may ask it from a browser (CORS); nobody's when left out. */
  origin?: string;
  onExit: () => void;
}

const GENESIS_WEI = 10n ** 30n;
const NO_MINER = ["--no-mining", "--order", "fifo", "--prune-history", "256"];
export const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/** anvil's process: it executes and answers, and mines nothing by itself. */
export class Anvil {
  readonly url: string;
  private readonly name: string;
  private child?: ChildProcess;

  constructor(private readonly options: AnvilOptions) {
    this.url = `http://127.0.0.1:${options.port}`;
    this.name = `anvil-${options.chainId}`;
  }

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  call<T>(method: string, params: unknown[] = []): Promise<T> {
    return rpc<T>(this.url, method, params);
  }

  /** Starts it from a snapshot, else from the genesis; resolves when it answers. */
  async start(snapshot?: string): Promise<void> {
    const { chainId, port, data, origin, onExit } = this.options;
    const from = snapshot ? ["--load-state", snapshot] : ["--init", this.genesisFile()];
    const own = ["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId), ...from];
    const cors = origin ? ["--allow-origin", origin] : ["--no-cors"];
    const args = ["--silent", ...cors, "--accounts", "0", ...NO_MINER, ...own];
    const child = spawn(foundryBinary("anvil"), args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    this.child = child;
    let complaint = "";
    child.stderr?.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-2_000);
    });
    child.once("exit", onExit);
    if (child.pid) recordPid(data, this.name, child.pid);
    for (let tries = 0; ; tries++) {
      if (!this.running) throw new StackError(`The local chain ${chainId} did not start: ${complaint.trim()}`);
      try {
        await this.call("eth_chainId");
        return;
      } catch (error) {
        if (tries > 1_500) throw error;
        await sleep(10);
      }
    }
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
    writeFileDurably(file, `${JSON.stringify(genesis, null, 2)}\n`);
    return file;
  }
}
