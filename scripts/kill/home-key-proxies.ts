import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/test/services/free-port";
import { ROOT } from "../stack/config";

const BINARY = "sdk/bin/halcyon.mjs";

interface ProxyPlace {
  /** Of the service. */
  url: string;
  /** Of the node that clients ask; left out, the one that the service names. */
  rpcUrl?: string;
  /** For the home keys, and what clients remember. */
  folder: string;
  /** Further variables of their environment. */
  env?: Readonly<Record<string, string>>;
}

/** Several processes of `halcyon proxy` with the same home keys, which can be killed. */
export class HomeKeyProxies {
  private readonly children: (ChildProcess | undefined)[];
  /** One that starts or ends is left to do so. */
  private readonly turns: Promise<void>[];
  /** All that they printed. */
  said = "";
  kills = 0;

  private constructor(
    private readonly place: ProxyPlace,
    private readonly ports: readonly number[],
  ) {
    this.children = ports.map(() => undefined);
    this.turns = ports.map(() => Promise.resolve());
    process.once("exit", this.endAll);
  }

  /** Chooses where they are; they start once there are home keys. */
  static async at(place: ProxyPlace, count: number): Promise<HomeKeyProxies> {
    mkdirSync(place.folder, { recursive: true });
    // Bundled under the true clock: by another one, the bundle may be old enough to be cleared up.
    await promisify(execFile)(process.execPath, [BINARY, "--version"], { cwd: ROOT });
    const ports: number[] = [];
    for (let n = 0; n < count; n++) ports.push(await freePort());
    return new HomeKeyProxies(place, ports);
  }

  /** The base URL of each. */
  get urls(): string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** The processes that run. */
  get pids(): number[] {
    return this.children.flatMap((child) => child?.pid ?? []);
  }

  /** Starts them with these home keys; those that run are killed first. */
  async use(homeKeys: readonly string[]): Promise<void> {
    writeFileSync(this.file, homeKeys.join("\n"), { mode: 0o600 });
    await Promise.all(this.ports.map((_, n) => this.restart(n)));
  }

  /** Sends kill -9, and starts it again, as whatever runs it would. */
  async kill(n: number): Promise<void> {
    this.kills += 1;
    await this.restart(n);
  }

  async stop(): Promise<void> {
    process.off("exit", this.endAll);
    await Promise.all(this.ports.map((_, n) => this.inTurn(n, () => this.end(n))));
  }

  private get file(): string {
    return path.join(this.place.folder, "home-keys");
  }

  private readonly endAll = () => {
    for (const child of this.children) child?.kill("SIGKILL");
  };

  private restart(n: number): Promise<void> {
    return this.inTurn(n, async () => {
      await this.end(n);
      await this.start(n);
    });
  }

  private inTurn(n: number, work: () => Promise<void>): Promise<void> {
    const mine = (this.turns[n] ?? Promise.resolve()).then(work);
    this.turns[n] = mine.catch(() => {});
    return mine;
  }

  private async end(n: number): Promise<void> {
    const child = this.children[n];
    this.children[n] = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  private async start(n: number): Promise<void> {
    const { url, rpcUrl, folder, env } = this.place;
    const args = [BINARY, "proxy", "--port", String(this.ports[n]), "--home-keys", this.file];
    const variables = { HALCYON_URL: url, HALCYON_CONFIG_DIR: path.join(folder, `proxy-${n}`) };
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...variables, ...(rpcUrl && { HALCYON_RPC_URL: rpcUrl }), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.children[n] = child;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      const hear = (chunk: Buffer) => {
        this.said += chunk;
        said += chunk;
        if (said.includes("Serving ")) resolve();
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (code, signal) => reject(new Error(`a proxy ended (${code ?? signal}): ${said}`)));
    });
  }
}
