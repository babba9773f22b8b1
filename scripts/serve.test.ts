import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeFolder } from "./stack/files";
import { program } from "./stack/program";
import { PROGRAMS } from "./stack/programs";

/** What each program prints first when no variable is set. */
const WITHOUT_VARIABLES: Record<keyof typeof PROGRAMS, string> = {
  web: "The environment is incomplete.",
  worker: "The environment is incomplete.",
  migrate: "Set DATABASE_URL",
  maintain: "Set DATABASE_URL",
  reindex: "Halcyon does not run here. The environment is incomplete.",
  "audit-verify": "Halcyon does not run here. The environment is incomplete.",
  "rotate-secrets-key": "Halcyon does not run here. The environment is incomplete.",
  "rotate-server-pepper": "Halcyon does not run here. The environment is incomplete.",
};
const NAMES = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** An installation with the programs, and without a site: no program gets as far as that. */
let root: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "halcyon-serve-"));
  for (const file of ["serve.mjs", "node-warning.mjs"]) {
    cpSync(path.join(import.meta.dirname, file), path.join(root, "scripts", file));
  }
  cpSync("db/migrations", path.join(root, "db", "migrations"), { recursive: true });
  const programs: Record<string, string> = {};
  for (const name of NAMES) programs[name] = path.relative(root, await program(PROGRAMS[name]));
  mkdirSync(path.join(root, ".halcyon", "build"), { recursive: true });
  const current = path.join(root, ".halcyon", "build", "current.json");
  writeFileSync(current, JSON.stringify({ dist: "site", programs }));
  mkdirSync(path.join(root, "site"));
  writeFileSync(path.join(root, "site", "required-server-files.json"), JSON.stringify({ config: {} }));
});
afterAll(() => removeFolder(root));

interface Run {
  code: number;
  words: string;
}

/** Runs a program with these variables alone. */
async function run(name: string, variables: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, ["scripts/serve.mjs", name], {
    cwd: root,
    env: { NODE_ENV: "production", PATH: process.env.PATH, HALCYON_DATA: root, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (words += chunk));
  const code = await new Promise<number>((resolve) => child.once("close", resolve));
  return { code, words };
}

/** A program with no variables, which says the same each time. */
const alone = new Map<string, Promise<Run>>();
function runAlone(name: string): Promise<Run> {
  const running = alone.get(name) ?? run(name);
  alone.set(name, running);
  return running;
}

it.each(NAMES)("%s says which variables are missing, and fails", async (name) => {
  const { code, words } = await runAlone(name);
  expect(words).toContain(WITHOUT_VARIABLES[name]);
  if (!/^(migrate|maintain)$/.test(name)) expect(words).toContain("  RELAYER_SEED is not set\n");
  // The reason alone: no stack trace, and no line of a log.
  expect(words).not.toMatch(/^ +at |^\{/m);
  expect(code).toBe(1);
});

it.each([
  ["web", { LOG_LEVEL: "loud", NEXTAUTH_URL: "pay.example.com", SERVER_PEPPER: "abc" }, "  SERVER_PEPPER must be 32"],
  ["worker", { SECRETS_KEY_KMS: "AAAA" }, "  AWS_REGION is not set\n"],
  [
    "migrate",
    { DATABASE_URL: "postgres://a:pa#ss@127.0.0.1/a" },
    "  DATABASE_URL must be an address such as postgres:",
  ],
  ["maintain", { DATABASE_URL: "postgres://a@127.0.0.1:1/a", EVENT_RETENTION_DAYS: "x" }, "EVENT_RETENTION_DAYS is a"],
] as const)("%s says what is wrong with %o, and fails", async (name, variables, reason) => {
  const { code, words } = await run(name, variables);
  expect(words).toContain(reason);
  expect(words).not.toContain("pa#ss");
  expect(words).not.toMatch(/^ +at |^\{/m);
  expect(code).toBe(1);
});

it.each(NAMES.filter((name) => name !== "web" && name !== "worker"))(
  "%s says that the database does not respond, and fails",
  async (name) => {
    const database = "postgres://halcyon:s3cret@127.0.0.1:1/halcyon";
    const own = Object.fromEntries(
      ["RELAYER_SEED", "SECRETS_KEY", "SECRETS_KEY_PREVIOUS", "SERVER_PEPPER", "SERVER_PEPPER_PREVIOUS"].map(
        (secret) => [secret, randomBytes(32).toString("hex")],
      ),
    );
    const ofChains = Object.fromEntries(
      ["46630", "4663"].flatMap((chain) => [
        [`RPC_URL_${chain}`, "http://127.0.0.1:1"],
        [`LEDGER_ADDRESS_${chain}`, `0x${"11".repeat(20)}`],
      ]),
    );
    const { code, words } = await run(name, { DATABASE_URL: database, ...own, ...ofChains });
    expect(words).toContain(
      "A connection failed. Check the addresses in the environment: connect ECONNREFUSED 127.0.0.1:1",
    );
    expect(words).not.toMatch(/s3cret|^ +at |^\{/m);
    expect(code).toBe(1);
  },
);

// By serve.mjs, before it loads whichever program.
it("a Node whose decoders are vulnerable is warned of, and no other", async () => {
  const { nodeWarning } = await import(path.resolve("scripts/node-warning.mjs"));
  expect((await runAlone("migrate")).words.includes("CVE-2026-111497")).toBe(
    nodeWarning(process.versions.node) !== undefined,
  );
  const old = path.join(root, "old.mjs");
  writeFileSync(
    old,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.23.3" } });',
  );
  const { words } = await run("migrate", { NODE_OPTIONS: `--import ${old}` });
  expect(words).toContain("Node 22.23.3 has a vulnerable");
});

it("an unknown program prints the names of those that there are", async () => {
  const { code, words } = await run("wbe");
  expect(words).toBe(`usage: node scripts/serve.mjs ${NAMES.join("|")}\n`);
  expect(code).toBe(1);
});
