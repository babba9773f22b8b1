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
import { reorganize, untilFinal } from "./reorganize";

const CACHE = path.join(ROOT, ".cache");
const preload = (file: string) => `--import=${path.join(ROOT, file)}`;

/** The product, its clock and the node that it asks: what can be done to them from outside. */
export class Faults {
  private constructor(
    readonly product: KillableProduct,
    private readonly clock: SimulatedClock,
    private readonly trouble: string,
    private readonly databaseUrl: string,
    private readonly finality: Setting["finality"],
  ) {}

  /** Boots the product on empty data, with the processes and at the time that a run is set in. */
  static async start(
    { start: at, services, finality, hasSecondNode }: Setting,
    say: (line: string) => void,
  ): Promise<Faults> {
    const trouble = path.join(CACHE, "simulated-rpc.json");
    let clock: SimulatedClock | undefined;
    const env = async () => {
      mkdirSync(CACHE, { recursive: true });
      setTrouble(trouble, "none");
      clock = await SimulatedClock.startAt(new Date(at), path.join(CACHE, "simulated-clock.json"));
      return {
        ...clock.env,
        NODE_OPTIONS: [preload("e2e/odd-clock.mjs"), preload("scripts/simulate/rpc-trouble.mjs")].join(" "),
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
    return new Faults(product, clock, trouble, urlOf(product), finality);
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
      case "lie":
        setTrouble(this.trouble, operation.mode);
        await sleep(operation.seconds * 1_000);
        setTrouble(this.trouble, "none");
        return true;
      case "reorganize":
        await reorganize(this.rpcUrl, operation);
        return true;
      case "clock":
        // What is taken away after it would be too late in another block.
        await untilFinal(this.rpcUrl, this.finality);
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
