import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { freePort } from "@/test/services/free-port";
import { ROOT, StackError } from "../stack/config";
import { removeFolder } from "../stack/files";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "../stack/outside-services";
import { endStalePostgres } from "../stack/postgres";
import { endLeftovers, isOurs, recordedPid, sleep } from "../stack/processes";
import { freeze } from "./freeze";
import { takeFolder } from "./take-folder";

/** The processes that can be killed: those of the local stack, and the supervisor that restarts them. */
export const PARTS = ["web", "worker", "postgres", "anvil-46630", "supervisor"] as const;
/** Further processes of a kind are numbered from 2. */
export type Part = (typeof PARTS)[number] | `web-${number}` | `worker-${number}`;

type Settings = Readonly<Record<string, string>>;

export interface ProductOptions {
  /** Folder for its state below the repository, for one run at a time. It is emptied first and removed at the end. */
  data: `.halcyon-${string}`;
  /** Arguments of `npm start`. */
  args?: readonly string[];
  /** Or how to make it, once no other run uses the folder. */
  env?: Settings | (() => Promise<Settings>);
  /** What else has to happen before all of it can work. Waits for the parts that it needs. */
  meanwhile?: (product: KillableProduct) => Promise<void>;
  say: (line: string) => void;
}

const WHOLE_MS = 600_000;
/** Variables that would point to services of the person who runs this, which must not be killed. */
const OUTSIDE = ["HALCYON_URL", ...OUTSIDE_SERVICES, ...OWN_SECRETS];

/** Runs the product like `npm start`, with its own ports and data, so that its processes can be killed. */
export class KillableProduct {
  private supervisor?: ChildProcess;
  /** Resolves when the newest supervisor has started everything. */
  up: Promise<void> = Promise.resolve();
  private stopping = false;

  private constructor(
    readonly url: string,
    readonly data: string,
    /** Environment of the supervisor. */
    readonly env: Readonly<NodeJS.ProcessEnv>,
    private readonly args: readonly string[],
    private readonly say: (line: string) => void,
    private readonly release: () => void,
  ) {}

  /**
   * Starts it with empty data. Resolves when all of it works.
   *
   * @throws StackError while another run uses the folder
   */
  static async start(options: ProductOptions): Promise<KillableProduct> {
    const data = path.join(ROOT, options.data);
    const release = await takeFolder(data);
    try {
      return await KillableProduct.startIn(data, options, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  private static async startIn(
    data: string,
    { args = [], env: given = {}, meanwhile, say }: ProductOptions,
    release: () => void,
  ): Promise<KillableProduct> {
    const settings = typeof given === "function" ? await given() : given;
    const env: NodeJS.ProcessEnv = { ...process.env, HALCYON_DATA: data };
    for (const name of OUTSIDE) delete env[name];
    // Several web processes use the ports after the proxy's.
    const port = await freePort(4);
    env.PORT = String(port);
    for (const name of ["PG_PORT", "RPC_PORT_46630", "RPC_PORT_4663", "METRICS_PORT"]) {
      // So do the metrics of each process.
      env[`HALCYON_${name}`] = String(await freePort(name === "METRICS_PORT" ? 3 : 0));
    }
    const product = new KillableProduct(`http://localhost:${port}`, data, { ...env, ...settings }, args, say, release);
    try {
      await Promise.all([product.boot(), meanwhile?.(product)]);
    } catch (error) {
      await product.stop();
      throw error;
    }
    say(`the product is up at ${product.url}`);
    return product;
  }

  /** Sends kill -9. The supervisor is restarted here, as an operator would; it restarts the other processes itself. */
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
    // Wait for a new process.
    for (const end = Date.now() + WHOLE_MS; recordedPid(this.data, part) === pid; await sleep(20)) {
      if (Date.now() > end) throw new StackError(`${part} was not started again.`);
    }
  }

  /** Freezes a process for a while, of PostgreSQL all of them. */
  async freeze(part: Part, seconds: number): Promise<void> {
    await freeze(await this.pidOf(part), seconds, { children: part === "postgres" });
  }

  /** Returns the pid of a process, waiting if it is just being restarted. */
  async pidOf(part: Part): Promise<number> {
    for (const end = Date.now() + WHOLE_MS; Date.now() < end; await sleep(20)) {
      const pid = recordedPid(this.data, part);
      if (pid && isOurs(pid, this.data)) return pid;
    }
    throw new StackError(`${part} does not run.`);
  }

  /** Waits until every process works. */
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
    removeFolder(this.data);
    this.release();
  }

  private boot(): Promise<void> {
    // The data folder as an argument marks the process as ours.
    const mark = `--data=${this.data}`;
    const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs"), ...this.args, mark], {
      cwd: ROOT,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.supervisor = child;
    this.up = new Promise((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        for (const line of chunk.toString().split("\n"))
          if (/^ *\d+\.\d s {2}/.test(line)) this.say(`  | ${line.trim()}`);
        if (chunk.includes("Ctrl-C stops everything.")) resolve();
      });
      child.once("exit", (code, signal) => {
        reject(new StackError(`npm start ended (${code ?? signal}); its words are above.`));
        // A supervisor that ends without being killed is a finding, and a load waiting for it would never end.
        if (!this.stopping && signal !== "SIGKILL") this.say(`npm start ended by itself (${code ?? signal})`);
      });
    });
    return this.up;
  }
}
