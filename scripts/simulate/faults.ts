import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { KillableProduct } from "../kill/product";
import { ROOT } from "../stack/config";
import { ownerUrl } from "../stack/postgres";
import { sleep } from "../stack/processes";
import { loadSecrets } from "../stack/secrets";
import type { Setting } from "./calendar";
import { SimulatedClock } from "./clock";
import type { Operation } from "./operations";

const CACHE = path.join(ROOT, ".cache");
const preload = (file: string) => `--import=${path.join(ROOT, file)}`;

/** The product, its clock and the node that it asks: what can be done to them from outside. */
export class Faults {
  private constructor(
    readonly product: KillableProduct,
    private readonly clock: SimulatedClock,
    private readonly trouble: string,
    private readonly databaseUrl: string,
  ) {}

  /** Boots the product on empty data, with the processes and at the time that a run is set in. */
  static async start({ start: at, services }: Setting, say: (line: string) => void): Promise<Faults> {
    mkdirSync(CACHE, { recursive: true });
    const trouble = path.join(CACHE, "simulated-rpc.json");
    setTrouble(trouble, "none");
    const clock = await SimulatedClock.startAt(new Date(at), path.join(CACHE, "simulated-clock.json"));
    const env = {
      ...clock.env,
      NODE_OPTIONS: [preload("e2e/odd-clock.mjs"), preload("scripts/simulate/rpc-trouble.mjs")].join(" "),
      RPC_TROUBLE_FILE: trouble,
    };
    const args = services.includes("web-2") ? ["--web", "2", "--workers", "2"] : [];
    const product = await KillableProduct.start({ data: ".halcyon-simulate", args, env, say });
    const databaseUrl = ownerUrl(loadSecrets(product.data).postgresPassword, Number(product.env.HALCYON_PG_PORT));
    await clock.takeOver(databaseUrl);
    return new Faults(product, clock, trouble, databaseUrl);
  }

  /** Ends the product. */
  async end(): Promise<void> {
    await this.product.stop();
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

  /** Does it; false of what is done by the product, not to it. */
  async happen(operation: Operation): Promise<boolean> {
    switch (operation.kind) {
      case "kill":
        await this.product.kill(operation.part);
        return true;
      case "rpc":
        setTrouble(this.trouble, operation.mode);
        await sleep(operation.seconds * 1_000);
        setTrouble(this.trouble, "none");
        return true;
      case "clock":
        await this.clock.moveTo(this.databaseUrl, operation.to);
        return true;
      default:
        return false;
    }
  }
}

function setTrouble(file: string, mode: string): void {
  writeFileSync(file, JSON.stringify({ mode }));
}
