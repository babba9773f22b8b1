import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Metafile, transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import root from "@/package.json";
import { ROOT } from "../stack/config";
import { buildSdk, DEPENDENCIES, type SdkBuild } from "./build";

/** Folders of sources a client may be made of. */
const CLIENT =
  /^(sdk\/(?!cli|mcp)([\w-]+\/)?[\w-]+|lib\/(ledger|ledger\/(crypto|seal|prepare)|policy|prover)\/[\w-]+|lib\/(errors|key-scopes|money|network|turns))\.ts$/;
const OTHERS = ["circuits/manifest.json", "lib/chain/abi/ledger.ts", "lib/chain/prepared-calldata.ts"];
/** Minified and compressed, with all that is loaded later: bytes. Dependencies are not in it. */
const LIMIT = 60_000;

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-sdk-"));
const installed = path.join(folder, "node_modules", "@halcyon", "sdk");
let built: SdkBuild;

beforeAll(async () => {
  mkdirSync(path.dirname(installed), { recursive: true });
  built = await buildSdk(installed);
  for (const name of [...DEPENDENCIES, "typescript", "@types/node"]) {
    const link = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules", name), link);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outside = ({ outputs }: Metafile) =>
  Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external).map((one) => one.path));

function compressed(platform: string): number {
  const files = built.files.filter((file) => file.startsWith(`${platform}/`));
  const sizes = files.map((file) => {
    const { code } = transformSync(readFileSync(path.join(installed, file), "utf8"), { minify: true });
    return gzipSync(code).length;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("the package holds the client and nothing of the server", () => {
  for (const { inputs } of [built.node, built.browser]) {
    expect(Object.keys(inputs).filter((file) => !CLIENT.test(file) && !OTHERS.includes(file))).toEqual([]);
  }
  const types = built.files.filter((file) => file.startsWith("types/"));
  expect(types.filter((file) => /\/(db|app|lib\/(auth|http|accounts|transfers))\//.test(file))).toEqual([]);
});

test("it says under which license it is, and under which its dependencies are", () => {
  const read = (file: string) => readFileSync(path.join(installed, file), "utf8");
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0");
  expect(read("LICENSE")).toContain("Apache License");
  const notices = read("THIRD_PARTY_NOTICES");
  for (const name of DEPENDENCIES) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+  \\S+$`, "m"));
});

test("what it imports is declared with exact versions; in a browser nothing is of Node", () => {
  const declared = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")).dependencies;
  for (const [name, version] of Object.entries(declared)) {
    expect(version).toBe((root.dependencies as Record<string, string>)[name]);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
  const packages = new Set(outside(built.browser).map((name) => name.match(/^(@[^/]+\/)?[^/]+/)?.[0]));
  expect([...packages].sort()).toEqual([...DEPENDENCIES].sort());
  const more = outside(built.node).filter(
    (name) => !DEPENDENCIES.some((one) => name === one || name.startsWith(`${one}/`)),
  );
  expect(more.filter((name) => !name.startsWith("node:"))).toEqual([]);
  for (const file of built.files.filter((name) => name.startsWith("browser/"))) {
    const text = readFileSync(path.join(installed, file), "utf8");
    expect(text, file).not.toMatch(/\bprocess\.|\bBuffer\b|\brequire\(|from "node:/);
  }
});

test("it is small", () => {
  for (const platform of ["node", "browser"]) expect(compressed(platform), platform).toBeLessThan(LIMIT);
});

test("every export is explained where an editor shows it", () => {
  const lost: string[] = [];
  const types = path.join(installed, "types", "sdk", "package");
  for (const entry of ["surface", "surface-types"]) {
    const text = readFileSync(path.join(types, `${entry}.d.ts`), "utf8");
    for (const [, names, from] of text.matchAll(/^export (?:type )?\{([^}]+)\} from "([^"]+)"/gm)) {
      const declared = readFileSync(path.join(types, (from ?? "").replace(/\.js$/, ".d.ts")), "utf8");
      for (const name of names?.split(",").map((each) => each.trim()) ?? []) {
        const line = `export (declare )?(abstract )?(class|function|interface|type|const) ${name}\\b`;
        if (!new RegExp(`\\*/\\n${line}`).test(declared)) lost.push(`${from} ${name}`);
      }
    }
  }
  const members = readFileSync(path.join(installed, "types/sdk/halcyon-client.d.ts"), "utf8").split("\n");
  members.forEach((line, index) => {
    const explained = members[index - 1]?.endsWith("*/");
    if (/^ {4}(readonly )?\w+[(:]/.test(line) && !/constructor/.test(line) && !explained) lost.push(line.trim());
  });
  expect(lost).toEqual([]);
});

const CONSUMER = `
import { type HalcyonEvent, Halcyon, HalcyonError, InsufficientBalanceError, verifyWebhook } from "@halcyon/sdk";
const halcyon = new Halcyon({ apiKey: "hc_test_x", maxRetries: 1 });
export async function pay(): Promise<string> {
  try {
    const sent = await halcyon.send({ to: "@bob", amount: "25" });
    return "transaction_id" in sent ? sent.expires_at : sent.tx_hash;
  } catch (error) {
    if (error instanceof InsufficientBalanceError) {
      const { code, status }: { code: "insufficient_balance"; status: number } = error;
      return code + status;
    }
    if (error instanceof HalcyonError && error.code === "policy_violation") return error.message;
    throw error;
  }
}
export const event: HalcyonEvent = verifyWebhook("{}", {}, "whsec_x");
// @ts-expect-error amounts are decimal strings
void halcyon.send({ to: "@bob", amount: 25 });
`;

test.each([
  ["Node", { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2023"], types: ["node"] }],
  [
    "a bundler for browsers",
    {
      module: "ESNext",
      moduleResolution: "Bundler",
      lib: ["ES2023", "DOM"],
      types: [],
      customConditions: ["browser"],
      skipLibCheck: true,
    },
  ],
])(
  "its types hold in a strict program for %s, down to the last declaration",
  (_, options) => {
    writeFileSync(path.join(folder, "consumer.mts"), CONSUMER);
    const compilerOptions = { target: "ES2022", strict: true, noEmit: true, ...options };
    const config = path.join(folder, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ["consumer.mts"] }));
    const tsc = path.join(
      path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
      "bin",
      "tsc",
    );
    let said = "";
    try {
      execFileSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
    } catch (error) {
      said = String((error as { stdout?: string }).stdout);
    }
    // What dependencies declare is not ours.
    const errors = said.split("\n").filter((line) => line.includes("error TS"));
    expect(errors.filter((line) => !/node_modules\/(?!@halcyon\/)/.test(line))).toEqual([]);
  },
  60_000,
);
