import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { build } from "esbuild";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "@/scripts/stack/files";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { CLAIMS_TABLE, memoryClaims } from "./claims";
import { fileClaims } from "./file-claims";

/* Checks that several processes of one seller share what the seller has taken. */

type Asked = [note: Hex, binding: Hex, atMost: number];

const folder = mkdtempSync(join(tmpdir(), "halcyon-claims-"));
const script = join(folder, "claiming.mjs");
let database: LocalDatabase;

beforeAll(async () => {
  database = await startLocalDatabase();
  await asOwner((sql) => sql.unsafe(CLAIMS_TABLE));
  await build({
    entryPoints: ["test/x402/claiming.ts"],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
});
afterAll(async () => {
  await database?.stop();
  removeFolder(folder);
});

/** One process of a seller. */
class Seller {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: AsyncIterator<string>,
  ) {}

  static async start(place: string): Promise<Seller> {
    const child = spawn(process.execPath, [script, place], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = (createInterface({ input: child.stdout }) as Interface)[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: "ready" });
    return new Seller(child, lines);
  }

  ask(asked: Asked[]): void {
    this.child.stdin?.write(`${JSON.stringify(asked)}\n`);
  }

  async answered(): Promise<boolean[]> {
    return JSON.parse((await this.lines.next()).value ?? "[]");
  }

  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await gone;
  }
}

const hex = (kind: number, number: number): Hex =>
  `0x${kind.toString(16).padStart(2, "0")}${number.toString(16).padStart(62, "0")}`;

/** Returns what two processes get for calls they make at the same time. */
async function both(place: string, one: Asked[], two: Asked[]): Promise<[boolean[], boolean[]]> {
  const sellers = await Promise.all([Seller.start(place), Seller.start(place)]);
  sellers[0].ask(one);
  sellers[1].ask(two);
  const taken = await Promise.all([sellers[0].answered(), sellers[1].answered()]);
  await Promise.all(sellers.map((seller) => seller.kill()));
  return taken;
}

const PAYMENTS = Array.from({ length: 100 }, (_, number) => number);

describe.each([
  ["in files", () => mkdtempSync(join(folder, "files-"))],
  ["in PostgreSQL", () => process.env.MIGRATION_DATABASE_URL ?? ""],
] as const)("two processes of a seller with claims %s", (_, placeOf) => {
  test("take one payment for one challenge, whichever comes first", async () => {
    const place = placeOf();
    const [one, two] = await both(
      place,
      PAYMENTS.map((i): Asked => [hex(1, i), hex(2, i), 5]),
      PAYMENTS.map((i): Asked => [hex(1, i), hex(3, i), 5]),
    );
    expect(PAYMENTS.map((i) => Number(one[i]) + Number(two[i]))).toEqual(PAYMENTS.map(() => 1));
  });

  test("take one challenge for one payment, whichever comes first", async () => {
    const place = placeOf();
    const [one, two] = await both(
      place,
      PAYMENTS.map((i): Asked => [hex(4, i), hex(5, i), 5]),
      PAYMENTS.map((i): Asked => [hex(6, i), hex(5, i), 5]),
    );
    expect(PAYMENTS.map((i) => Number(one[i]) + Number(two[i]))).toEqual(PAYMENTS.map(() => 1));
  });

  test("serve one payment as often as is allowed and no more, also after a process was killed", async () => {
    const place = placeOf();
    const asked = PAYMENTS.slice(0, 20).flatMap((i): Asked[] => Array(3).fill([hex(7, i), hex(8, i), 3]));
    const [one, two] = await both(place, asked, asked);
    const served = [...one, ...two].filter(Boolean);
    expect(served).toHaveLength(60);
    const later = await Seller.start(place);
    later.ask(asked);
    expect((await later.answered()).filter(Boolean)).toEqual([]);
    await later.kill();
  });
});

test.each([
  ["in memory", memoryClaims],
  ["in files", () => fileClaims(mkdtempSync(join(folder, "alone-")))],
] as const)("claims %s tell what was taken for what", async (_, claimsOf) => {
  const claims = claimsOf();
  expect(await claims.claim("0x01", "0xaa", 2)).toBe(true);
  expect(await claims.claim("0x01", "0xbb", 2)).toBe(false);
  expect(await claims.claim("0x02", "0xaa", 2)).toBe(false);
  const had = [claims.has("0x01", "0xaa"), claims.has("0x01", "0xbb"), claims.has("0x02", "0xaa")];
  expect(await Promise.all(had)).toEqual([true, false, false]);
  // After a lost response, the payment is served again, but not without limit.
  expect([await claims.claim("0x01", "0xaa", 2), await claims.claim("0x01", "0xaa", 2)]).toEqual([true, false]);
});
