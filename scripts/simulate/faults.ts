import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "@/test/services/free-port";
import { type SilentProxy, startSilentProxy } from "@/test/services/silent-proxy";
import { KillableProduct } from "../kill/product";
import { ROOT } from "../stack/config";
import { appUrl, ownerUrl } from "../stack/postgres";
import { sleep } from "../stack/processes";
import { loadSecrets } from "../stack/secrets";
import type { ServicePart, Setting } from "./calendar";
import { SimulatedClock } from "./clock";
import { DatabaseFaults } from "./database-faults";
import type { Operation } from "./operations";
import { reorganize, untilFinal } from "./reorganize";
import { databaseProbe, nodeProbe, silence } from "./silence";

const CACHE = path.join(ROOT, ".cache");
const preload = (file: string) => `--import=${path.join(ROOT, file)}`;
const PRELOADED = ["e2e/odd-clock.mjs", "scripts/simulate/proxies.mjs", "scripts/simulate/rpc-trouble.mjs"];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** By way of which web and worker reach others. */
interface Proxies {
  postgres: SilentProxy;
  node: SilentProxy;
}

const portOf = ({ url }: SilentProxy) => new URL(url).port;

/** The product, its clock and the node that it asks: what can be done to them from outside. */
export class Faults {
  private constructor(
    readonly product: KillableProduct,
    private readonly clock: SimulatedClock,
    private readonly trouble: string,
    private readonly databaseUrl: string,
    private readonly database: DatabaseFaults,
    private readonly proxies: Proxies,
    private readonly setting: Setting,
  ) {}

  /** Boots the product on empty data, with the processes and at the time that a run is set in. */
  static async start(setting: Setting, say: (line: string) => void): Promise<Faults> {
    const { start: at, services, finality, hasSecondNode } = setting;
    const trouble = path.join(CACHE, "simulated-rpc.json");
    let clock: SimulatedClock | undefined;
    const [databasePort, nodePort] = [await freePort(), await freePort()];
    const proxies: Proxies = {
      postgres: await startSilentProxy(ownerUrl("", databasePort)),
      node: await startSilentProxy(`http://127.0.0.1:${nodePort}`),
    };
    const env = async () => {
      mkdirSync(CACHE, { recursive: true });
      setTrouble(trouble, "none");
      clock = await SimulatedClock.startAt(new Date(at), path.join(CACHE, "simulated-clock.json"));
      return {
        ...clock.env,
        NODE_OPTIONS: PRELOADED.map(preload).join(" "),
        HALCYON_PG_PORT: String(databasePort),
        HALCYON_RPC_PORT_46630: String(nodePort),
        SIMULATED_DATABASE_PORT: portOf(proxies.postgres),
        SIMULATED_NODE_PORT: portOf(proxies.node),
        RPC_TROUBLE_FILE: trouble,
        ...(hasSecondNode ? { RPC_TROUBLE_SECOND_NODE: "1" } : {}),
        FINALITY_46630: finality,
      };
    };
    const args = services.includes("web-2") ? ["--web", "2", "--workers", "2"] : [];
    // Servers that are ahead of their database sign nothing, so the product works only once PostgreSQL has the same time.
    const urlOf = ({ data, env }: KillableProduct) =>
      ownerUrl(loadSecrets(data).postgresPassword, Number(env.HALCYON_PG_PORT));
    const meanwhile = async (product: KillableProduct) => {
      await product.pidOf("postgres");
      await clock?.takeOver(urlOf(product));
    };
    const product = await KillableProduct.start({ data: ".halcyon-simulate", args, env, meanwhile, say });
    if (!clock) throw new Error("the product was started without its clock");
    const databaseUrl = urlOf(product);
    const { postgresAppPassword } = loadSecrets(product.data);
    const database = new DatabaseFaults(databaseUrl, appUrl(postgresAppPassword, databasePort));
    await database.prepare();
    return new Faults(product, clock, trouble, databaseUrl, database, proxies, setting);
  }

  /** Ends the product. */
  async end(): Promise<void> {
    await this.product.stop();
    await Promise.all([this.proxies.postgres.stop(), this.proxies.node.stop()]);
    // The supervisor marked the build it used with its own time: one of the future would outlive every later build.
    const builds = path.join(ROOT, ".halcyon", "build");
    for (const build of readdirSync(builds)) {
      const done = path.join(builds, build, "BUILD_DONE");
      const now = this.clock.trueTime();
      if (existsSync(done) && statSync(done).mtime > now) utimesSync(done, now, now);
    }
  }

  /** A node that nothing is wrong with. */
  get rpcUrl(): string {
    return `http://127.0.0.1:${this.product.env.HALCYON_RPC_PORT_46630}`;
  }

  /** Environment of further processes: with the run's clock, and no trouble with their node. */
  get clientEnv(): Record<string, string> {
    return { ...this.clock.env, NODE_OPTIONS: preload("e2e/odd-clock.mjs") };
  }

  /** Does it; false of what is done by the product, not to it. */
  async happen(operation: Operation): Promise<boolean> {
    switch (operation.kind) {
      case "kill":
        await this.product.kill(operation.part);
        return true;
      case "rpc":
      case "lie":
        setTrouble(this.trouble, operation.mode);
        await sleep(operation.seconds * 1_000);
        setTrouble(this.trouble, "none");
        return true;
      case "reorganize":
        // A local stack that starts looks at what its chain has, and ends if the blocks it reads are taken away.
        await this.product.up;
        await reorganize(this.rpcUrl, operation);
        return true;
      case "clock":
        // What is taken away after it would be too late in another block.
        await untilFinal(this.rpcUrl, this.setting.finality);
        await this.clock.moveTo(this.databaseUrl, operation.to);
        return true;
      case "freeze":
        await this.product.freeze(operation.part, operation.seconds);
        return true;
      case "silence": {
        const proxy = this.proxies[operation.to];
        await silence(proxy, operation.to === "node" ? nodeProbe : (url) => databaseProbe(this.by(url)), operation);
        return true;
      }
      case "hold_locks":
        await this.database.holdLocks(operation.table, operation.seconds);
        return true;
      case "take_connections":
        await this.database.takeConnections(operation.seconds);
        return true;
      case "fill_disk":
        await this.database.fillDisk(operation.seconds);
        return true;
      case "clock_ahead":
        await this.moveClockOf(operation.part, operation.minutes * MINUTE, operation.seconds);
        return true;
      default:
        return false;
    }
  }

  /** The database's address with a proxy's host. */
  private by(proxyUrl: string): string {
    const url = new URL(this.databaseUrl);
    url.host = new URL(proxyUrl).host;
    return url.href;
  }

  /** Moves a web process's clock ahead, sees it in what the process responds, and moves it back later. */
  private async moveClockOf(part: ServicePart, ms: number, seconds: number): Promise<void> {
    const { services } = this.setting;
    const webs = services.filter((one) => one.startsWith("web"));
    const port = Number(this.product.env.PORT) + (webs.length === 1 ? 0 : 1 + webs.indexOf(part));
    const ahead = async () => {
      const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
      return Date.parse(headers.get("date") ?? "") - Date.now() > ms - MINUTE;
    };
    let pid = 0;
    try {
      for (const end = performance.now() + 5 * MINUTE; ; await sleep(SECOND / 10)) {
        // It may just be starting again.
        pid = await this.product.pidOf(part);
        await this.clock.moveOne(pid, ms);
        if (await ahead().catch(() => false)) break;
        await this.clock.moveOne(pid, 0);
        if (performance.now() > end) throw new Error(`the clock of ${part} is not ahead`);
      }
      await sleep(seconds * SECOND);
    } finally {
      await this.clock.moveOne(pid, 0);
    }
  }
}

function setTrouble(file: string, mode: string): void {
  writeFileSync(file, JSON.stringify({ mode }));
}
