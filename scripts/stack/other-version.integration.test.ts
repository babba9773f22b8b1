import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import postgres from "postgres";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isOfAnotherVersion } from "@/db/is-of-another-version";
import { freePort } from "@/test/services/free-port";
import { newDatabase } from "@/test/services/local-database";
import { startLocalServices } from "@/test/services/local-services";
import { isOtherLedger } from "./is-other-ledger";
import { loadSecrets } from "./secrets";

let database: Awaited<ReturnType<typeof newDatabase>>;
let data: string;

beforeAll(async () => {
  database = await newDatabase();
});
afterAll(() => database?.stop());
beforeEach(() => {
  data = mkdtempSync("/tmp/halcyon-test-");
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Runs `npm start`. Returns its exit status and output. */
async function start(settings: Record<string, string> = {}): Promise<{ status: number | null; said: string }> {
  const [web, pg, one, other] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const ports = { PORT: web, HALCYON_PG_PORT: pg, HALCYON_RPC_PORT_46630: one, HALCYON_RPC_PORT_4663: other };
  const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const { DATABASE_URL: _, MIGRATION_DATABASE_URL: __, ...inherited } = process.env;
  const env = { ...inherited, ...numbers, HALCYON_DATA: data, ...settings };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ["scripts/start.mjs"], { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, said: stdout + stderr }),
    );
  });
}

/** Everything in the folder except the log and process files of a supervisor. */
const contents = () => readdirSync(data).filter((name) => name !== "logs" && name !== "run");

test("a folder of an earlier version: start-up moves it aside, says where to, and begins again", async () => {
  const { format: _, ...earlier } = loadSecrets(data);
  writeFileSync(path.join(data, "secrets.json"), JSON.stringify(earlier));
  // What comes next would take minutes, and is shown elsewhere.
  const taken = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => taken.listen(port, () => resolve()));
  try {
    const { status, said } = await start({ PORT: String(port) });
    expect(status).toBe(1);
    const aside = /cannot read, to (\S+)/.exec(said)?.[1] ?? "";
    expect(aside).toContain(`${data}-of-`);
    expect(JSON.parse(readFileSync(path.join(aside, "secrets.json"), "utf8"))).toEqual(earlier);
    rmSync(aside, { recursive: true });
    expect(contents()).toEqual(["secrets.json"]);
    expect(loadSecrets(data).relayerSeed).not.toBe(earlier.relayerSeed);
  } finally {
    taken.close();
  }
});

test("a given database of an earlier version: start-up says what to do, starts nothing, changes nothing and fails", async () => {
  const sql = postgres(database.MIGRATION_DATABASE_URL, { max: 1 });
  try {
    expect(await isOfAnotherVersion(database.MIGRATION_DATABASE_URL)).toBe(false);
    await sql`update drizzle.__drizzle_migrations set hash = repeat('0', 64)`;
    const journal = await sql`select * from drizzle.__drizzle_migrations`;
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = database;
    const { status, said } = await start({ DATABASE_URL, MIGRATION_DATABASE_URL });
    expect(status).toBe(1);
    expect(said).toContain(
      "The database of DATABASE_URL holds the accounts of another version of Halcyon, which this one cannot read: set DATABASE_URL (and MIGRATION_DATABASE_URL) to an empty database, then start again.",
    );
    expect(said).not.toMatch(/ready|building/);
    expect(contents()).toEqual([]);
    expect([...(await sql`select * from drizzle.__drizzle_migrations`)]).toEqual([...journal]);
  } finally {
    await sql.end();
  }
});

test("a given ledger of an earlier version: start-up says what to do, starts nothing and fails; one of this version is taken", async () => {
  const chain = await startLocalServices();
  const node = createServer((_request, response) => {
    // The code of another contract: it has functions, but not the ledger's.
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x6080604052${"63aabbccdd14".repeat(40)}` }));
  });
  try {
    const { RPC_URL_46630 = "", LEDGER_ADDRESS_46630 = "" } = chain.env;
    expect(await isOtherLedger(RPC_URL_46630, LEDGER_ADDRESS_46630 as Hex)).toBe(false);
    expect(await isOtherLedger(RPC_URL_46630, "0x00000000000000000000000000000000000000aa")).toBe(true);
    expect(await isOtherLedger("http://127.0.0.1:1", LEDGER_ADDRESS_46630 as Hex)).toBe(false);
    const port = await freePort();
    await new Promise<void>((resolve) => node.listen(port, "127.0.0.1", resolve));
    const { status, said } = await start({ RPC_URL_46630: `http://127.0.0.1:${port}`, LEDGER_ADDRESS_46630 });
    expect(status).toBe(1);
    expect(said).toContain(
      "LEDGER_ADDRESS_46630 is not the address of a ledger of this version of Halcyon: set it to one that this version deployed, then start again.",
    );
    expect(said).not.toMatch(/ready|building/);
    expect(contents()).toEqual([]);
  } finally {
    node.close();
    await chain.stop();
  }
});

test("a database that no version has migrated is taken", async () => {
  const empty = database.MIGRATION_DATABASE_URL.replace(/[^/]+$/, "postgres");
  expect(await isOfAnotherVersion(empty)).toBe(false);
});
