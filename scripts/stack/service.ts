import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { ROOT, StackError } from "./config";
import { LogFile } from "./log-file";
import { NODE_FLAGS } from "./node-flags";
import { endProcess, forgetPid, recordPid, sleep } from "./processes";

export interface ServiceOptions {
  name: string;
  /** The JavaScript file to run (see `program`). */
  script: string;
  data: string;
  env: Record<string, string>;
  say: (line: string) => void;
  /** Called when it cannot be kept running. */
  onGivenUp: (error: StackError) => void;
}

const TRIES = 5;
const STEADY_MS = 30_000;
/** How much longer than its own settings (SHUTDOWN_…) a process may take to stop. */
const STOP_MS = 10_000;
const DRAIN_SECONDS = 30;
const LOG = { maxBytes: 32 * 1024 * 1024, kept: 3 };

/** A Node process of the product (web or worker). Its output goes to a log file, and it is restarted when it dies. */
export class Service {
  private child?: ChildProcess;
  /** Earlier processes that accept nothing any more and still serve requests. */
  private readonly draining = new Set<ChildProcess>();
  private stopping = false;
  private failures = 0;
  private readonly logFile: string;
  private readonly log: LogFile;

  constructor(private readonly options: ServiceOptions) {
    this.logFile = path.join(options.data, "logs", `${options.name}.log`);
    this.log = new LogFile(this.logFile, { ...LOG, say: options.say });
  }

  start(): void {
    const { name, script, data, env, say } = this.options;
    // The data folder as an argument marks the process as part of this stack.
    const args = ["--enable-source-maps", ...NODE_FLAGS, script, `--data=${data}`];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    this.child = child;
    for (const output of [child.stdout, child.stderr]) output?.on("data", (chunk: Buffer) => this.log.write(chunk));
    if (child.pid) recordPid(data, name, child.pid);
    const startedAt = performance.now();
    let followed = false;
    const follow = (reason: number | string | null) => {
      if (!followed) void this.died(reason, performance.now() - startedAt);
      followed = true;
    };
    // A process that drains has closed its ports, so the next one need not wait for its end.
    child.on("message", (message) => {
      if (message !== "draining") return;
      this.draining.add(child);
      follow(message);
    });
    child.once("exit", (code, signal) => {
      if (this.draining.delete(child) && code !== 0) say(`${name} failed while draining (${code ?? signal})`);
      follow(code ?? signal);
    });
  }

  /** Stops its processes with SIGTERM, and with SIGKILL if they take too long. Resolves when they are gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { data, name, env } = this.options;
    const { SHUTDOWN_NOTICE_SECONDS: notice, SHUTDOWN_DRAIN_SECONDS: drain } = { ...process.env, ...env };
    const patience = STOP_MS + 1000 * (Number(notice || 0) + Number(drain || DRAIN_SECONDS));
    const running = [...this.draining, this.child].filter((child) => child?.exitCode === null);
    await Promise.all(running.map((child) => child?.pid && endProcess(child.pid, data, "SIGTERM", patience)));
    await this.log.end();
    forgetPid(data, name);
  }

  private async died(reason: number | string | null, lived: number): Promise<void> {
    if (this.stopping) return;
    const { name, say, onGivenUp } = this.options;
    this.failures = lived > STEADY_MS ? 1 : this.failures + 1;
    if (this.failures > TRIES) {
      onGivenUp(
        new StackError(`The ${name} process keeps stopping (${reason}). Its last words are in ${this.logFile}.`),
      );
      return;
    }
    say(`${name} stopped (${reason}); starting it again`);
    await sleep(200 * 2 ** (this.failures - 1));
    if (!this.stopping) this.start();
  }
}
