import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileOf, readImports, sourceFiles } from "./architecture/imports";

const biome = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")),
  "bin/biome",
);

const FORBIDDEN: [file: string, imported: string, alternative: string][] = [
  ["app/v1/transfers/route.ts", "@/db/client", "call verbs"],
  ["app/(site)/page.tsx", "drizzle-orm", "call verbs"],
  ["app/v1/transfers/route.ts", "../../../db/client", "call verbs"],
  ["components/ui/button.tsx", "@/db/schema/keys", "call verbs"],
  ["components/ui/button.tsx", "snarkjs", "call verbs"],
  ["components/keys/key-table.tsx", "@/lib/accounts/keys/list-keys", "types alone"],
  ["components/keys/key-table.tsx", "@/lib/base/env", "types alone"],
  ["components/vault/worker.ts", "../../lib/chain/clients", "types alone"],
  ["components/vault/worker.ts", "@/sdk/context/platform/node-context", "use @/sdk/context/context"],
  ["components/ui/button.tsx", "node:fs", "use @/sdk/context/context"],
  ["lib/payments/create-transfer.ts", "next/server", "throw an ApiError"],
  ["lib/policy/decide.ts", "@/db/client", "Take what you need as an argument"],
  ["lib/policy/decide.ts", "@/lib/base/clock", "Take what you need as an argument"],
  ["lib/policy/recipients.ts", "@/lib/accounts/resolve-account", "Take what you need as an argument"],
  ["lib/ledger/crypto/keys.ts", "node:fs", "Take what you need as an argument"],
  ["lib/ledger/crypto/keys.ts", "@/lib/base/env", "Take what you need as an argument"],
  ["lib/ledger/crypto/keys.ts", "@/lib/chain/clients", "Take what you need as an argument"],
  ["lib/base/errors.ts", "@/lib/http/route", "Move what needs one"],
  ["lib/base/money.ts", "node:fs", "Move what needs one"],
  ["lib/prover/pool.ts", "@/db/client", "pass it witness inputs"],
  ["lib/chain/relayer.ts", "next/headers", "throw an ApiError"],
  ["circuits/build/compile.ts", "@/lib/ledger/crypto/field", "artefacts flow out"],
  ["contracts/bin/solc.ts", "@/lib/base/env", "artefacts flow out"],
  ["e2e/api/transfers.spec.ts", "@/lib/ledger/crypto/keys", "as a stranger would"],
  ["e2e/api/transfers.spec.ts", "../../lib/ids", "as a stranger would"],
];

const ALLOWED: [file: string, imported: string][] = [
  ["app/v1/transfers/route.ts", "@/lib/payments/create-transfer"],
  ["app/v1/transfers/route.ts", "@/lib/http/route"],
  ["components/money/amount.tsx", "@/lib/base/money"],
  ["components/policy/policy-form.tsx", "@/lib/policy/schema"],
  ["components/vault/worker.ts", "@/lib/ledger/crypto/keys"],
  ["components/vault/worker.ts", "@/sdk/account/funds/funds"],
  ["lib/payments/create-transfer.ts", "@/db/client"],
  ["lib/policy/recipients.ts", "@/lib/base/handle"],
  ["lib/ledger/crypto/keys.ts", "@/lib/ledger/crypto/hkdf"],
  ["lib/ledger/crypto/keys.ts", "@noble/hashes/sha2.js"],
  ["lib/chain/nonces.ts", "@/db/client"],
  ["lib/http/route.ts", "next/server"],
  ["e2e/api/transfers.spec.ts", "@/sdk/api/http"],
];

const TYPES = ["@/lib/accounts/keys/list-keys", "@/lib/base/env", "@/lib/http/route"];

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** How often each file was planted before, so that every case gets its own tree. */
const asked = new Map<string, number>();
const trees = new Set<string>();

/** Writes the file into a tree that contains only this repository's linter settings and similar files. */
function plant(file: string, imported: string, form = "import { x }", code?: string): () => string[] {
  const turn = asked.get(file) ?? 0;
  asked.set(file, turn + 1);
  const tree = path.join(folder, String(turn));
  if (!trees.has(tree)) {
    trees.add(tree);
    const settings = JSON.parse(readFileSync("biome.json", "utf8"));
    cpSync("scripts/lint", path.join(tree, "scripts/lint"), { recursive: true });
    writeFileSync(path.join(tree, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false } }));
  }
  mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
  const exported = form.includes("type") ? "type Y" : "const y";
  writeFileSync(path.join(tree, file), `${form} from "${imported}";\n\n${code ?? `export ${exported} = x;`}\n`);
  return () => {
    const found = verdicts(tree);
    expect(found.linted).toContain(file);
    return found.errors.filter(({ at }) => at === file).map(({ message }) => message);
  };
}

interface Verdicts {
  linted: string[];
  errors: { at: string; message: string }[];
}
const known = new Map<string, Verdicts>();

/** Runs the linter once per tree, because its start takes longer than its checks. */
function verdicts(tree: string): Verdicts {
  const found = known.get(tree) ?? lint(tree);
  known.set(tree, found);
  return found;
}

interface Report {
  summary: { unchanged: number };
  diagnostics: { severity: string; message: string; location: { path: string } }[];
}

function lint(tree: string): Verdicts {
  const files = [...asked].filter(([, times]) => times > Number(path.basename(tree))).map(([file]) => file);
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", ...files];
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  const { summary, diagnostics } = JSON.parse(stdout) as Report;
  // Every file was checked.
  expect(summary.unchanged).toBe(files.length);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { linted: files, errors: errors.map(({ message, location }) => ({ at: location.path, message })) };
}

describe("who may import whom (docs/architecture.md)", () => {
  it.each(
    FORBIDDEN.map(([file, imported, alternative]) => ({ file, imported, alternative, ask: plant(file, imported) })),
  )("$file may not import $imported, and the linter names the alternative", ({ alternative, ask }) => {
    expect(ask().join()).toContain(alternative);
  });

  it.each(ALLOWED.map(([file, imported]) => ({ file, imported, ask: plant(file, imported) })))(
    "$file may import $imported",
    ({ ask }) => {
      expect(ask()).toEqual([]);
    },
  );

  it.each(TYPES.map((name) => ({ name, ask: plant("components/keys/key-table.tsx", name, "import type { x }") })))(
    "a type of $name may be known to components",
    ({ ask }) => {
      expect(ask()).toEqual([]);
    },
  );
});

describe("what runs in the browser", () => {
  const sources = sourceFiles();
  const text = (file: string) => readFileSync(file, "utf8");
  /** The entries of the browser's bundles: client components and the workers. */
  const entries = sources.filter(
    (file) =>
      (/^(app|components)\//.test(file) && text(file).startsWith('"use client"')) ||
      /^components\/.*worker\.ts$/.test(file),
  );

  /**
   * Returns everything that the entries load, with the file that imports it. "use server" files are called over the
   * network, so they don't count.
   */
  function loaded(): Map<string, string> {
    const by = new Map(entries.map((file) => [file, file]));
    for (const [file] of by) {
      for (const { to, kind } of readImports(file)) {
        const next = fileOf(to);
        const isCode = kind === "values" && /\.tsx?$/.test(next) && !text(next).startsWith('"use server"');
        if (isCode && !by.has(next)) by.set(next, file);
      }
    }
    return by;
  }

  it("loads no server code, through however many files", () => {
    const server =
      /^(db|scripts|lib\/worker|lib\/base\/(telemetry|rate-limit))\/|^(server|lib\/base\/env)\.ts$|^lib\/http\/(?!docs|reference|connections)/;
    const packages =
      /^(?:import|export)\s(?!type\s)[^;]*?"(node:[^"]+|postgres|drizzle-orm[^"]*|pino|next-auth|undici)"/m;
    const found = [...loaded()].filter(([file]) => server.test(file) || packages.test(text(file)));
    expect([...loaded().keys()]).toEqual(
      expect.arrayContaining(["sdk/context/context.ts", "lib/ledger/crypto/keys.ts"]),
    );
    expect(found.map(([file, through]) => `${file}, through ${through}`)).toEqual([]);
  });
});

describe("requests to other servers", () => {
  const RAW = ["export const y = () => fetch(x);", "export const y = (own?: typeof fetch) => (own ?? fetch)(x);"];
  const BOUNDED = ["export const y = (own?: typeof fetch) => own?.(x);", "export const y = () => x.fetch(x);"];
  const files = ["lib/payments/screening/is-sanctioned.ts", "sdk/chain/rpc-transport.ts"];
  const planted = (codes: string[]) =>
    files.flatMap((file) => codes.map((code) => ({ file, code, ask: plant(file, "x", undefined, code) })));

  it.each(planted(RAW))("$file reads no response without a bound: $code", ({ ask }) => {
    expect(ask().join()).toContain("use plainFetch");
  });

  it.each(planted(BOUNDED))("$file may do what is bounded elsewhere: $code", ({ ask }) => {
    expect(ask()).toEqual([]);
  });
});

describe("inside a transaction", () => {
  const IN_TRANSACTION = [
    "export const y = () => db().transaction(async (tx) => [tx, await sql()`select 1`]);",
    "export const y = (tx: Tx) => [tx, db()];",
    "export async function y(ctx: Context, tx: Tx) {\n  return [ctx, tx, relaxedSql()];\n}",
  ];
  const OUTSIDE = [
    "export const y = async () => [await db().transaction((tx) => tx.execute(x)), db()];",
    "export const y = (at: Tx = db()) => at;",
  ];

  it.each(IN_TRANSACTION.map((code) => ({ code, ask: plant("lib/accounts/keys/list-keys.ts", "x", undefined, code) })))(
    "no other connection is asked for: $code",
    ({ ask }) => {
      expect(ask().join()).toContain("Pass `tx` on");
    },
  );

  it.each(OUTSIDE.map((code) => ({ code, ask: plant("lib/accounts/keys/list-keys.ts", "x", undefined, code) })))(
    "ends where its function does: $code",
    ({ ask }) => {
      expect(ask().join()).not.toContain("Pass `tx` on");
    },
  );
});
