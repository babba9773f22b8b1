import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { Halcyon } from "@/sdk/client";

/** Where the package is installed, and the product that it speaks to. */
export interface Place {
  /** The installed command line. */
  binary: string;
  /** The folder in which the package is installed. */
  folder: string;
  url: string;
}

/** Returns the place that `npm run test:long -- installed` prepared. */
export function placeFromEnvironment(): Place {
  const { HALCYON_TEST_BINARY: binary, HALCYON_TEST_FOLDER: folder, HALCYON_URL: url } = process.env;
  if (!binary || !folder || !url) throw new Error("Run this with: npm run test:long -- installed");
  return { binary, folder, url };
}

interface Ended {
  status: number | null;
  out: string;
  err: string;
}

/** Ends an installed program that asks for circuits which it has. */
const WATCHED = `--import=${pathToFileURL(path.join(import.meta.dirname, "watch-circuits.mjs"))}`;

/** Runs a program of its own in exactly this environment and folder. */
function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      printed.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      printed.err += chunk;
    });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...printed }));
  });
}

/** The keys of someone. */
export interface Keys {
  handle: string;
  address: string;
  walletKey?: `0x${string}` | undefined;
  apiKey?: string | undefined;
}

/** Someone with keys: a client of this clone to prepare what a test needs, and the installed command line to be tested. */
export class Person implements Keys {
  readonly handle: string;
  readonly address: string;
  readonly walletKey: `0x${string}` | undefined;
  readonly apiKey: string | undefined;

  constructor(
    private readonly world: World,
    keys: Keys,
    private readonly home: string,
  ) {
    this.handle = keys.handle;
    this.address = keys.address;
    this.walletKey = keys.walletKey;
    this.apiKey = keys.apiKey;
  }

  get client(): Halcyon {
    const { walletKey, apiKey } = this;
    return new Halcyon({ url: this.world.place.url, walletKey, apiKey, configDir: this.world.own });
  }

  /** Returns the same person without an API key, or without a wallet. */
  with(keys: { walletKey?: undefined; apiKey?: undefined }): Person {
    const { handle, address, walletKey, apiKey } = this;
    return new Person(this.world, { handle, address, walletKey, apiKey, ...keys }, this.home);
  }

  /** Runs an installed command that must succeed, in a process of its own. Returns its JSON document. */
  async run<T extends object = Record<string, unknown>>(...words: string[]): Promise<T> {
    const { status, out, err } = await this.start([...words, "--json"]);
    expect(status, `halcyon ${words.join(" ")}\n${err}${out}`).toBe(0);
    return JSON.parse(out);
  }

  /** Runs an installed command that must succeed. Returns what it prints. */
  async print(...words: string[]): Promise<string> {
    const { status, out, err } = await this.start(words);
    expect(status, `halcyon ${words.join(" ")}\n${err}${out}`).toBe(0);
    return out;
  }

  /** Runs an installed command that must be refused. Returns its error. */
  async refused(...words: string[]): Promise<{ code: string; message: string }> {
    const { status, err } = await this.start([...words, "--json"]);
    expect(status, `halcyon ${words.join(" ")}`).not.toBe(0);
    return JSON.parse(err).error;
  }

  private start(words: string[]): Promise<Ended> {
    this.world.ran.push(words.join(" "));
    const { walletKey, apiKey } = this;
    return run(this.world.place.binary, words, this.world.elsewhere, {
      ...this.world.surroundings(this.home),
      HALCYON_URL: this.world.place.url,
      ...(walletKey && { HALCYON_WALLET_KEY: walletKey }),
      ...(apiKey && { HALCYON_API_KEY: apiKey }),
    });
  }
}

/** An owner with money and an agent, a second person with money, and a folder that is neither clone nor home. */
export class World {
  /** The commands that were run, in order. */
  readonly ran: string[] = [];
  readonly rpc: string;

  private constructor(
    readonly place: Place,
    private readonly home: string,
    readonly elsewhere: string,
    readonly own: string,
  ) {
    this.rpc = process.env.RPC_URL_46630 ?? "";
  }

  alice!: Person;
  bob!: Person;
  /** A program that has the API key of `alice`'s agent, and nothing else. Above 5 USDG it needs approval. */
  bot!: Person;
  ledger!: string;

  static async create(place: Place): Promise<World> {
    const folder = mkdtempSync(path.join(place.folder, "world-"));
    const [home, elsewhere, own] = ["home", "elsewhere", "prepared"].map((name) => {
      mkdirSync(path.join(folder, name));
      return path.join(folder, name);
    });
    const world = new World(place, home ?? "", elsewhere ?? "", own ?? "");
    [world.alice, world.bob] = await Promise.all([
      world.newcomer({ money: "5000" }),
      world.newcomer({ money: "1000" }),
    ]);
    const { client } = world.alice;
    const { handle } = await client.agents.create({ name: "bot", spendPolicy: POLICY });
    await client.transfers.create({ to: handle, amount: "500", clientSigned: true });
    const { api_key: apiKey } = await client.keys.create({ label: "bot", agent: "bot" });
    world.bot = new Person(world, { handle, address: "", apiKey }, world.home);
    world.ledger = (await (await fetch(`${place.url}/api/network?network=test`)).json()).ledger;
    return world;
  }

  /** Creates an account with this much available USDG and a full API key, or only a wallet. */
  async newcomer({ enroll = true, money }: { enroll?: boolean; money?: string } = {}): Promise<Person> {
    const walletKey = `0x${randomBytes(32).toString("hex")}` as const;
    const handle = uniqueName("p");
    const client = new Halcyon({ url: this.place.url, walletKey, configDir: this.own });
    if (!enroll) return new Person(this, { handle, address: "", walletKey }, this.home);
    const { public_key: address } = await client.account.create({ handle });
    await client.account.verifyIdentity();
    if (money) {
      await client.testHelpers.faucet({ amount: money });
      await client.balances.makeAvailable();
    }
    const { api_key: apiKey } = await client.keys.create({ label: "installed" });
    return new Person(this, { handle: `@${handle}`, address, walletKey, apiKey }, this.home);
  }

  /** Returns someone without any key, on a machine of their own. */
  stranger(): Person {
    return new Person(this, { handle: "", address: "" }, mkdtempSync(path.join(this.elsewhere, "home-")));
  }

  /** Returns the path of a new file. */
  path(name: string): string {
    return path.join(mkdtempSync(path.join(this.elsewhere, "files-")), name);
  }

  file(name: string, content: string): string {
    const file = this.path(name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  /** Runs someone's program, from elsewhere and with the world's home. */
  run(program: string, args: readonly string[], env: Record<string, string | undefined>): Promise<Ended> {
    return run(program, args, this.elsewhere, { ...this.surroundings(this.home), ...env });
  }

  /** The environment of a program whose owner has this home, and nothing of the person who runs the tests. */
  surroundings(home: string): Record<string, string | undefined> {
    const packaged = path.join(this.place.folder, "node_modules", "@halcyon", "sdk", "circuits");
    return { PATH: process.env.PATH, HOME: home, NODE_OPTIONS: WATCHED, HALCYON_TEST_PACKAGED: packaged };
  }

  /** Pays `amount` USDG from one person to another. Returns the transfer's id. */
  async paid(from: Person, to: Person, amount = "1"): Promise<string> {
    const transfer = await from.client.transfers.create({ to: to.handle, amount });
    if (!("transfer_id" in transfer) || !transfer.transfer_id) throw new Error("the payment awaits approval");
    return transfer.transfer_id;
  }

  /** Lets the agent ask for a payment that waits for its owner. Returns its id. */
  async held(): Promise<string> {
    const asked = await this.bot.client.transfers.create({ to: this.bob.handle, amount: "6" });
    if (!("transaction_id" in asked)) throw new Error("the payment was made");
    return asked.transaction_id;
  }
}

const POLICY = {
  daily_limit_usdg: 5_000,
  per_transaction_limit_usdg: 100,
  hitl_threshold_usdg: 5,
  allowed_recipients: ["*"],
};

let names = 0;
/** Returns a name that is free. */
export const uniqueName = (name: string) => `${name}${process.pid.toString(36)}${Date.now().toString(36)}${names++}`;
