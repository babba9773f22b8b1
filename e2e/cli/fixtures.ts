import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT_STATUS } from "@/sdk/cli/exit-status";
import { Halcyon } from "@/sdk/client";
import { newWallet } from "@/sdk/context/platform/wallet-file";
import { test as base, expect } from "../api/fixtures";
import { type Run, runBinary, runCommand } from "../halcyon";

/**
 * Returns the error of a failed command. It must be the only output on standard error, with the exit status of its
 * code.
 */
export function refusal(done: Run, line: string): { code: string; message: string; reason?: string; param?: string } {
  expect(done, line).toMatchObject({ stdout: "", stderr: expect.stringMatching(/^\{"error":/) });
  const { error } = JSON.parse(done.stderr) as { error: ReturnType<typeof refusal> };
  expect(done.status, line).toBe(EXIT_STATUS[error.code as keyof typeof EXIT_STATUS]);
  return error;
}

/** A person at a terminal, with a wallet file, a configuration folder and optionally an API key. */
export class Person {
  apiKey?: string;
  address = "";

  constructor(
    readonly handle: string,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  /** Returns this person's client in this process, for steps that are not under test on the command line. */
  async client(): Promise<Halcyon> {
    const { url, apiKey, configDir } = this;
    return new Halcyon({ url, apiKey, walletKey: await this.walletKey(), configDir });
  }

  private get configDir(): string {
    return join(this.folder, this.handle);
  }

  get keyFile(): string {
    return join(this.folder, `${this.handle}.key`);
  }

  async walletKey(): Promise<`0x${string}`> {
    return (await readFile(this.keyFile, "utf8")).trim() as `0x${string}`;
  }

  /** Runs a command with `--json`. */
  run(args: string[], env: Record<string, string> = {}): Promise<Run> {
    return runCommand(this.words(args), this.environment(env));
  }

  /** Runs the real binary with `--json`, in a process of its own. */
  process(args: string[], env: Record<string, string> = {}, started?: (pid: number) => void): Promise<Run> {
    return runBinary(this.words(args), this.environment(env), started);
  }

  private words(args: string[]): string[] {
    return [...args, "--wallet-key-file", this.keyFile, "--json"];
  }

  private environment(more: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      HALCYON_URL: this.url,
      HALCYON_CONFIG_DIR: this.configDir,
      HALCYON_API_KEY: this.apiKey ?? "",
      HALCYON_WALLET_KEY: "",
      ...more,
    };
  }

  /** Runs a command that must succeed. Returns its JSON document. */
  async json<T>(...args: string[]): Promise<T> {
    const done = await this.run(args);
    expect(done, `halcyon ${args.join(" ")}`).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout.trim().split("\n")).toHaveLength(1);
    return JSON.parse(done.stdout) as T;
  }

  /** Runs a command that must fail. Returns its error from standard error. */
  async error(args: string[], env: Record<string, string> = {}): Promise<{ code: string; message: string }> {
    return refusal(await this.run(args, env), `halcyon ${args.join(" ")}`);
  }

  /** Runs a command that must fail in a process of its own. */
  async processError(args: string[], env: Record<string, string> = {}): Promise<{ code: string; message: string }> {
    return refusal(await this.process(args, env), `halcyon ${args.join(" ")}`);
  }
}

interface Description {
  rpc_url: string;
  ledger: `0x${string}`;
  ledger_block: string;
  assets: { symbol: string; address: `0x${string}` }[];
}

/** An address without a server. */
export const NOWHERE = "http://127.0.0.1:9";

interface Fixtures {
  /** Creates a wallet and an account with a fresh handle, enrolled unless `enroll` is false. */
  person: (name: string, options?: { enroll: boolean }) => Promise<Person>;
  /** Creates a person with an available balance of this many USDG and an API key. */
  payer: (name: string, available: string) => Promise<Person>;
  network: Description;
}

export const test = base.extend<Fixtures>({
  person: async ({ baseURL }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "halcyon-e2e-"));
    await use(async (name, { enroll } = { enroll: true }) => {
      const person = new Person(`${name}-${randomBytes(5).toString("hex")}`, baseURL ?? "", folder);
      person.address = (await newWallet(person.keyFile)).address;
      if (enroll) await (await person.client()).account.create({ handle: person.handle });
      return person;
    });
    await rm(folder, { recursive: true, force: true });
  },
  payer: async ({ person }, use) => {
    await use(async (name, available) => {
      const payer = await person(name);
      const client = await payer.client();
      await client.testHelpers.faucet({ amount: available });
      await client.balances.makeAvailable();
      payer.apiKey = (await client.keys.create({ label: "e2e" })).api_key;
      return payer;
    });
  },
  network: async ({ request }, use) => {
    await use((await (await request.get("/api/network?network=test")).json()) as Description);
  },
});

export { expect };
