import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const biome = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")),
  "bin/biome",
);

/** A folder with this repository's linter settings and nothing else. */
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-lint-"));
const settings = JSON.parse(readFileSync("biome.json", "utf8"));
writeFileSync(path.join(folder, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false } }));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the linter says of a file with this one import. */
function lint(file: string, imported: string): { status: number | null; output: string } {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), `import { x } from "${imported}";\n\nexport const y = x;\n`);
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

  it("keeps server code out of files that run in the browser", () => {
    const folders = ["app", "components"].filter((folder) => existsSync(folder));
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file)),
    );
    const client = files.filter((file) => /\.tsx?$/.test(file) && /^"use client"/.test(readFileSync(file, "utf8")));
    const shared = /^@\/(components|sdk)\/|^@\/lib\/(ledger|money|network|errors|ids|prover\/browser)/;
    for (const file of client) {
      const ours = [...readFileSync(file, "utf8").matchAll(/from "(@\/[^"]+)"/g)].map(([, name]) => name ?? "");
      expect(ours.filter((name) => !shared.test(name)).map((name) => `${file} imports ${name}`)).toEqual([]);
    }
  });
});
