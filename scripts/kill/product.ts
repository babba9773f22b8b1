import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { freePort } from "@/test/services/free-port";
import { ROOT, StackError } from "../stack/config";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "../stack/outside-services";
import { endStalePostgres } from "../stack/postgres";
import { endLeftovers, isOurs, recordedPid, sleep } from "../stack/processes";

/** What is killed: each process of the local stack, and the one that keeps them. */
export const PARTS = ["web", "worker", "postgres", "anvil-46630", "supervisor"] as const;
/** With several of each there are more, numbered from 2. */
export type Part = (typeof PARTS)[number] | `web-${number}` | `worker-${number}`;

export interface ProductOptions {
  /** Folder of its state below the repository; it is emptied first and removed at the end. */
  data: `.halcyon-${string}`;
  /** What `npm start` is given. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  say: (line: string) => void;
}

const WHOLE_MS = 180_000;
/** A person's own services are not to be killed. */
const OUTSIDE = ["HALCYON_URL", ...OUTSIDE_SERVICES, ...OWN_SECRETS];

/** The product as `npm start` runs it, on ports and data of its own, to be killed part by part. */
export class KillableProduct {
  private supervisor?: ChildProcess;
  private stopping = false;

  private constructor(
    readonly url: string,
    readonly data: string,
    /** Of the process that keeps the others. */
    readonly env: Readonly<NodeJS.ProcessEnv>,
    private readonly args: readonly string[],
    private readonly say: (line: string) => void,
  ) {}

  /** Boots it on empty data; resolves when all of it works. */
  static async start({ data: folder, args = [], env: settings = {}, say }: ProductOptions): Promise<KillableProduct> {
    const data = path.join(ROOT, folder);
    await endLeftovers(data);
    await endStalePostgres(data);
    rmSync(data, { recursive: true, force: true });
    const env: NodeJS.ProcessEnv = { ...process.env, HALCYON_DATA: data };
    for (const name of OUTSIDE) delete env[name];
    // Several web processes listen on the ports after the proxy's.
    const port = await freePort(4);
    env.PORT = String(port);
    for (const name of ["PG_PORT", "RPC_PORT_46630", "RPC_PORT_4663", "METRICS_PORT"]) {
      env[`HALCYON_${name}`] = String(await freePort());
    }
    const product = new KillableProduct(`http://localhost:${port}`, data, { ...env, ...settings }, args, say);
    try {
      await product.boot();
    } catch (error) {
      await product.stop();
      throw error;
    }
    say(`the product is up at ${product.url}`);
    return product;
  }

  /** kill -9. The supervisor is started again, as its operator would; it starts the other parts again by itself. */
  async kill(part: Part): Promise<void> {
    const pid = await this.pidOf(part);
    if (part === "supervisor") {
      const gone = new Promise((resolve) => this.supervisor?.once("exit", resolve));
      process.kill(pid, "SIGKILL");
      await gone;
      await this.boot();
      return;
    }
    process.kill(pid, "SIGKILL");
    // It is another process that has to be whole again.
    for (const end = Date.now() + WHOLE_MS; recordedPid(this.data, part) === pid; await sleep(20)) {
      if (Date.now() > end) throw new StackError(`${part} was not started again.`);
    }
  }

  /** The process of a part, once there is one: it may just be started again. */
  private async pidOf(part: Part): Promise<number> {
    for (const end = Date.now() + WHOLE_MS; Date.now() < end; await sleep(20)) {
      const pid = recordedPid(this.data, part);
      if (pid && isOurs(pid, part === "supervisor" ? "scripts/" : this.data)) return pid;
    }
    throw new StackError(`${part} does not run.`);
  }

  /** Waits until every part works. */
  async whole(): Promise<void> {
    let last = "";
    for (const end = Date.now() + WHOLE_MS; Date.now() < end; await sleep(50)) {
      const response = await fetch(`${this.url}/status`, { signal: AbortSignal.timeout(10_000) }).catch(
        () => undefined,
      );
      const status = (await response?.json().catch(() => undefined)) as { status?: string } | undefined;
      if (status?.status === "ok") return;
      last = JSON.stringify(status ?? "no answer");
    }
    throw new StackError(`The product is not whole again after ${WHOLE_MS / 1000} s: ${last}`);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const { supervisor } = this;
    if (supervisor?.exitCode === null && supervisor.signalCode === null) {
      const gone = new Promise((resolve) => supervisor.once("exit", resolve));
      supervisor.kill("SIGTERM");
      await gone;
    }
    await endLeftovers(this.data);
    await endStalePostgres(this.data);
    rmSync(this.data, { recursive: true, force: true });
  }

  private boot(): Promise<void> {
    const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs"), ...this.args], {
      cwd: ROOT,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.supervisor = child;
    return new Promise((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        for (const line of chunk.toString().split("\n"))
          if (/^ *\d+\.\d s {2}/.test(line)) this.say(`  | ${line.trim()}`);
        if (chunk.includes("Ctrl-C stops everything.")) resolve();
      });
      child.once("exit", (code, signal) => {
        reject(new StackError(`npm start ended (${code ?? signal}); its words are above.`));
        // What no one killed has given up: that is a finding, and a load that waits for it would never end.
        if (!this.stopping && signal !== "SIGKILL") this.say(`npm start ended by itself (${code ?? signal})`);
      });
    });
  }
}
