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
export type Part = (typeof PARTS)[number];

const DATA = path.join(ROOT, ".halcyon-kill");
const WHOLE_MS = 180_000;
/** A person's own services are not to be killed. */
const OUTSIDE = ["HALCYON_URL", ...OUTSIDE_SERVICES, ...OWN_SECRETS];

/** The product as `npm start` runs it, on ports and data of its own, to be killed part by part. */
export class KillableProduct {
  private supervisor?: ChildProcess;
  private stopping = false;

  private constructor(
    readonly url: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly say: (line: string) => void,
  ) {}

  /** Boots it on empty data; resolves when all of it works. */
  static async start(say: (line: string) => void): Promise<KillableProduct> {
    await endLeftovers(DATA);
    await endStalePostgres(DATA);
    rmSync(DATA, { recursive: true, force: true });
    const env: NodeJS.ProcessEnv = { ...process.env, HALCYON_DATA: DATA };
    for (const name of OUTSIDE) delete env[name];
    const port = await freePort();
    env.PORT = String(port);
    for (const name of ["PG_PORT", "RPC_PORT_46630", "RPC_PORT_4663", "METRICS_PORT"]) {
      env[`HALCYON_${name}`] = String(await freePort());
    }
    const product = new KillableProduct(`http://localhost:${port}`, env, say);
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
    const pid = recordedPid(DATA, part);
    if (!pid || !isOurs(pid, part === "supervisor" ? "scripts/" : DATA)) throw new StackError(`${part} does not run.`);
    if (part === "supervisor") {
      const gone = new Promise((resolve) => this.supervisor?.once("exit", resolve));
      process.kill(pid, "SIGKILL");
      await gone;
      await this.boot();
      return;
    }
    process.kill(pid, "SIGKILL");
    // It is another process that has to be whole again.
    for (const end = Date.now() + WHOLE_MS; recordedPid(DATA, part) === pid; await sleep(20)) {
      if (Date.now() > end) throw new StackError(`${part} was not started again.`);
    }
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
    await endLeftovers(DATA);
    await endStalePostgres(DATA);
    rmSync(DATA, { recursive: true, force: true });
  }

  private boot(): Promise<void> {
    const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs")], {
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
