import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { packedSdk } from "../packed-sdk";
import type { GuideBlock } from "./guide-blocks";

const shell = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, "../..");

/** What each block printed, in the order of those that were run. */
export type Printed = string[];

/** An account at the end of the quick start. */
export interface QuickStarted {
  /** Its handle, without the `@`. */
  name: string;
  walletKey: Hex;
  apiKey: string;
}

const newName = () => `ada-${randomBytes(4).toString("hex")}`;

/** Brings an account to the end of the quick start, which a test of its own types in: the same money, key and payment. */
export async function quickStarted(url: string): Promise<QuickStarted> {
  const [name, walletKey] = [newName(), generatePrivateKey()];
  const configDir = mkdtempSync(path.join(tmpdir(), "halcyon-reader-"));
  try {
    const client = new Halcyon({ url, walletKey, configDir });
    await client.account.create({ handle: name });
    await client.testHelpers.faucet({ amount: "1000" });
    await client.balances.makeAvailable();
    const { api_key: apiKey } = await client.keys.create({ label: "first" });
    const payer = new Halcyon({ url, apiKey, configDir });
    const payment = { to: "@demo", amount: "25.00", memo: "Order 1042" };
    await payer.transfers.create(payment, { idempotencyKey: "order-1042" });
    return { name, walletKey, apiKey };
  } finally {
    rmSync(configDir, { recursive: true });
  }
}

/**
 * A reader of the documentation who types everything into one shell, from page to page, with one account. The test only
 * replaces the product's address and the reader's name.
 */
export class Reader {
  private constructor(
    private readonly url: string,
    private readonly folder: string,
    private readonly name: string,
  ) {}

  /**
   * Creates a reader in a separate folder, with the clone's command line and the client's package installed: one who
   * has nothing yet, or has typed in the quick start.
   */
  static async arrives(url: string, account?: QuickStarted): Promise<Reader> {
    const folder = mkdtempSync(path.join(tmpdir(), "halcyon-reader-"));
    const modules = path.join(folder, "node_modules");
    mkdirSync(path.join(modules, "@halcyon"), { recursive: true });
    symlinkSync(path.join(ROOT, "halcyon"), path.join(folder, "halcyon"));
    symlinkSync(await packedSdk(), path.join(modules, "@halcyon/sdk"));
    writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(path.join(folder, "env.sh"), account ? `export HALCYON_API_KEY=${account.apiKey}\n` : "");
    if (account) writeFileSync(path.join(folder, "wallet.key"), `${account.walletKey}\n`, { mode: 0o600 });
    return new Reader(url, folder, account?.name ?? newName());
  }

  /** Runs the blocks in order. What they export stays for the following ones. Throws if a block fails. */
  async run(blocks: GuideBlock[]): Promise<Printed> {
    const steps = blocks.map((block, index) => `printf '\\n%s\\n' '${mark(index)}'\n${this.command(block, index)}`);
    const script = ["source env.sh", ...steps, "export -p > env.sh"].join("\n");
    const { stdout } = await shell("bash", ["--norc", "-euo", "pipefail", "-c", script], {
      cwd: this.folder,
      maxBuffer: 1 << 24,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        HALCYON_URL: this.url,
        HALCYON_CONFIG_DIR: this.folder,
      },
    }).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.stdout?.slice(error.stdout.lastIndexOf("@@ block"))}\n${error.stderr}`);
    });
    return blocks.map(
      (_, index) =>
        stdout
          .split(mark(index))[1]
          ?.split(mark(index + 1))[0]
          ?.trim() ?? "",
    );
  }

  leave(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private command({ language, code }: GuideBlock, index: number): string {
    const text = code
      .replaceAll("localhost:3000", new URL(this.url).host)
      .replaceAll("http://127.0.0.1:28545", process.env.RPC_URL_46630 ?? "http://127.0.0.1:28545")
      .replaceAll(/@(?:ada|alice)\b|(?<=--handle )ada\b/g, (found) => found.replace(/ada|alice/, this.name))
      .replaceAll("~/.config/halcyon", this.folder)
      // No other server is called.
      .replaceAll("https://example.com", "http://localhost:9");
    if (language === "bash" || language === "sh") return text;
    const [program, extension] = language === "python" ? ["python3", "py"] : ["node", "mjs"];
    const file = path.join(this.folder, `block-${index}.${extension}`);
    writeFileSync(file, language === "python" ? text : transformSync(text, { loader: "ts" }).code);
    return `${program} ${file}`;
  }
}

const mark = (index: number) => `@@ block ${index} @@`;

/** Returns the last JSON document in what a block printed. */
export function lastJson(printed: string): unknown {
  const line = printed.split("\n").findLast((one) => one.startsWith("{"));
  return line === undefined ? undefined : JSON.parse(line);
}

/** Returns the structure of a JSON value: names, types, and the first entry of lists. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

/** Returns whether a program can be started here. */
export function installed(program: string): boolean {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}
