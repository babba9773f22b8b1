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

/** A folder with this repository's linter settings and nothing else. */
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-lint-"));
const settings = JSON.parse(readFileSync("biome.json", "utf8"));
cpSync("scripts/lint", path.join(folder, "scripts/lint"), { recursive: true });
writeFileSync(path.join(folder, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false } }));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the linter says of a file with this one import. */
function lint(file: string, imported: string, form = "import { x }"): { status: number | null; output: string } {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(
    path.join(folder, file),
    `${form} from "${imported}";\n\nexport ${form.includes("type") ? "type Y" : "const y"} = x;\n`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "lint", file], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

const FORBIDDEN: [file: string, imported: string, alternative: string][] = [
  ["app/v1/transfers/route.ts", "@/db/client", "call verbs"],
  ["app/(site)/page.tsx", "drizzle-orm", "call verbs"],
  ["app/v1/transfers/route.ts", "../../../db/client", "call verbs"],
  ["components/ui/button.tsx", "@/db/schema/keys", "call verbs"],
  ["components/ui/button.tsx", "snarkjs", "call verbs"],
  ["components/keys/key-table.tsx", "@/lib/keys/list-keys", "types alone"],
  ["components/keys/key-table.tsx", "@/lib/env", "types alone"],
  ["components/vault/worker.ts", "../../lib/chain/clients", "types alone"],
  ["components/vault/worker.ts", "@/sdk/node-context", "use @/sdk/context"],
  ["components/ui/button.tsx", "node:fs", "use @/sdk/context"],
  ["lib/transfers/create-transfer.ts", "next/server", "throw an ApiError"],
  ["lib/accounts/create-account.ts", "@/lib/http/route", "throw an ApiError"],
  ["lib/policy/decide.ts", "@/db/client", "Take what you need as an argument"],
  ["lib/policy/decide.ts", "@/lib/clock", "Take what you need as an argument"],
  ["lib/policy/recipients.ts", "@/lib/accounts/resolve-account", "Take what you need as an argument"],
  ["lib/ledger/keys.ts", "node:fs", "Take what you need as an argument"],
  ["lib/ledger/keys.ts", "@/lib/env", "Take what you need as an argument"],
  ["lib/ledger/keys.ts", "@/lib/chain/clients", "Take what you need as an argument"],
  ["lib/errors.ts", "@/lib/http/route", "Move what needs one"],
  ["lib/money.ts", "node:fs", "Move what needs one"],
  ["lib/prover/pool.ts", "@/db/client", "pass it witness inputs"],
  ["lib/prover/pool.ts", "@/lib/chain/relayer", "pass it witness inputs"],
  ["lib/chain/relayer.ts", "next/headers", "throw an ApiError"],
  ["lib/webhooks/fan-out.ts", "@/lib/transfers/create-transfer", "put what they need into the event"],
  ["circuits/build/compile.ts", "@/lib/ledger/field", "artefacts flow out"],
  ["contracts/bin/solc.ts", "@/lib/env", "artefacts flow out"],
  ["e2e/api/transfers.spec.ts", "@/lib/ledger/keys", "as a stranger would"],
  ["e2e/api/transfers.spec.ts", "../../lib/ids", "as a stranger would"],
];

const ALLOWED: [file: string, imported: string][] = [
  ["app/v1/transfers/route.ts", "@/lib/transfers/create-transfer"],
  ["app/v1/transfers/route.ts", "@/lib/http/route"],
  ["components/money/amount.tsx", "@/lib/money"],
  ["components/policy/policy-form.tsx", "@/lib/policy/schema"],
  ["components/vault/worker.ts", "@/lib/ledger/keys"],
  ["components/vault/worker.ts", "@/sdk/funds"],
  ["lib/transfers/create-transfer.ts", "@/db/client"],
  ["lib/policy/recipients.ts", "@/lib/accounts/handle"],
  ["lib/ledger/keys.ts", "@/lib/ledger/hkdf"],
  ["lib/ledger/keys.ts", "@noble/hashes/sha2.js"],
  ["lib/chain/nonces.ts", "@/db/client"],
  ["lib/http/route.ts", "next/server"],
  ["e2e/api/transfers.spec.ts", "@/sdk/http"],
];

describe("who may import whom (docs/architecture.md)", () => {
  it.each(FORBIDDEN)("%s may not import %s, and the linter names the alternative", (file, imported, alternative) => {
    const { status, output } = lint(file, imported);
    expect(status).toBe(1);
    expect(output.replace(/\s+/g, " ")).toContain(alternative);
  });

  it.each(ALLOWED)("%s may import %s", (file, imported) => {
    expect(lint(file, imported)).toMatchObject({ status: 0 });
  });

  it.each(["@/lib/keys/list-keys", "@/lib/env", "@/lib/http/route"])(
    "a type of %s may be known to components",
    (name) => {
      expect(lint("components/keys/key-table.tsx", name, "import type { x }")).toMatchObject({ status: 0 });
    },
  );
});

describe("what runs in the browser", () => {
  const sources = sourceFiles();
  const text = (file: string) => readFileSync(file, "utf8");
  /** Where the browser's bundles begin: client components, and the workers. */
  const entries = sources.filter(
    (file) =>
      (/^(app|components)\//.test(file) && text(file).startsWith('"use client"')) ||
      /^components\/.*worker\.ts$/.test(file),
  );

  /** Everything those load, with the file through which. A "use server" file is asked over the network. */
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
      /^(db|scripts)\/|^server\.ts$|^lib\/(env|log)\.ts$|^lib\/(http|auth|jobs|telemetry|health|rate-limit)\//;
    const packages =
      /^(?:import|export)\s(?!type\s)[^;]*?"(node:[^"]+|postgres|drizzle-orm[^"]*|pino|next-auth|undici|graphile-worker)"/m;
    const found = [...loaded()].filter(([file]) => server.test(file) || packages.test(text(file)));
    expect([...loaded().keys()]).toEqual(expect.arrayContaining(["sdk/context.ts", "lib/ledger/keys.ts"]));
    expect(found.map(([file, through]) => `${file}, through ${through}`)).toEqual([]);
  });
});
