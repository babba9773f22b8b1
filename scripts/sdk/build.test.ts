import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Metafile, transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import root from "@/package.json";
import { collectSamples } from "../samples/collect-samples";
import { compileSamples } from "../samples/compile-samples";
import { ROOT } from "../stack/config";
import { BUNDLED, buildSdk, CLI_DEPENDENCIES, DEPENDENCIES, OF_A_RECOVERY, PEERS, type SdkBuild } from "./build";

/** Folders of sources that a client may contain. */
const CLIENT =
  /^(sdk\/(?!cli|mcp)([\w-]+\/)*[\w-]+|lib\/(base\/csv|base\/pdf|ledger|ledger\/(authority|crypto|exact|funds|history|payment-request|policy|prepare|encrypted|shared-view)|payments\/statements|policy|policy\/(calendar|rules)|prover|prover\/kernel)\/[\w-]+|circuits\/witness\/[\w-]+|lib\/base\/(block-ranges|earliest-payment|errors|handle|harmful-characters|key-scopes|machine-fetch|money|network|node-fetch|plain-fetch|round-robin))\.ts$/;
const OTHERS = [
  "circuits/manifest.json",
  ...["abi/ledger", "authority-calldata", "document-calldata"].map((file) => `lib/chain/${file}.ts`),
];
/**
 * Size limits in bytes, minified and compressed, without dependencies: `first` for what an import loads, `all`
 * including what is loaded later. A payment includes the rules of policies, their documents and trees; what few
 * programs call is loaded on demand. The prover's arithmetic is our own and counts, while the package that it replaced
 * was a dependency and did not. The same is true of the list of what is read from a chain, which leaves out most of a
 * dependency (docs/design/keys.md). A page that keeps records of a run's payment still looks for another client's. A
 * payment whose signing key the ledger lost with a block waits. What a client no longer believes the service about
 * (earlier refunds, the table of assets, the fields of its own payments, whose a note is, which runs are paid, which
 * policy is in force) it reads or computes itself. It refuses responses that are encoded. An account's secret has two
 * halves, one that decrypts and one that signs. With a home key it builds what the service signs unread, and every client
 * reads the states that such a payment leaves. What a request with a home key is known by, the owner's client finds on
 * chain: the service's copy may be older than the payment. With an agent's home key it decides within the policy that the
 * ledger has, and encrypts for the owner what is above the threshold. A refund that it builds goes to who paid by the
 * client's own node, and its request for a payment to whom the home key names. With an
 * owner's home key it decrypts what an agent asks for, and builds exactly that to approve it, and it names a service of
 * another version. A list of transfers also says which names nothing but the service gives, and keeps the checksums of
 * addresses. An error that this machine finds has the class and the page that it would have from the service.
 * With a home key it also builds payouts, and payments that come at once with one proof: each is known by its own note,
 * and sent alone when anything goes wrong with the others. A refusal of what has left says until when it may be signed.
 * Under a policy it tries payments with the rules that the service has; who changes policies loads that code later.
 * Clients with one key build in turn.
 */
const LIMITS = { first: 79_300, all: 184_500 };

/** Packages that samples of the guides use besides the SDK. */
const OF_SAMPLES = [
  "@hono/node-server",
  "@types/express",
  "@x402/core",
  "@x402/express",
  "@x402/fetch",
  "@x402/hono",
  "@x402/next",
  "express",
  "fastify",
  "hono",
  "mppx",
  "next",
  "postgres",
];

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-sdk-"));
const installed = path.join(folder, "node_modules", "@halcyon", "sdk");
let built: SdkBuild;

beforeAll(async () => {
  mkdirSync(path.dirname(installed), { recursive: true });
  built = await buildSdk(installed);
  for (const name of [...DEPENDENCIES, ...CLI_DEPENDENCIES, ...OF_SAMPLES, "typescript", "@types/node"]) {
    const link = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules", name), link);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outside = ({ outputs }: Metafile) =>
  Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external).map((one) => one.path));

/** Returns the entry of a platform and what it imports at once, directly or indirectly. */
function loadedFirst(platform: "node" | "browser"): string[] {
  const outputs = new Map(
    Object.entries(built[platform].outputs).map(([file, output]) => [path.basename(file), output] as const),
  );
  const loaded = new Set(["index.js"]);
  for (const file of loaded) {
    for (const { kind, external, path: imported } of outputs.get(file)?.imports ?? []) {
      if (!external && kind === "import-statement") loaded.add(path.basename(imported));
    }
  }
  return [...loaded].map((file) => `${platform}/${file}`);
}

function compressed(platform: string, of: string[] = built.files): number {
  const files = of.filter((file) => file.startsWith(`${platform}/`));
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
  expect(
    types.filter((file) =>
      /\/(db|app|lib\/(http|accounts|balances|agents|payments(?!\/statements)|settlement|worker))\//.test(file),
    ),
  ).toEqual([]);
});

test("nothing in it looks for a clone of the repository", () => {
  const inputs = [built.node, built.browser, built.cli].flatMap((part) => Object.keys(part.inputs));
  expect(inputs.filter((file) => /\/(artifact-files|create-local-prover)\.ts$/.test(file))).toEqual([]);
  // Types may name such a module: the same sources are the clone's.
  for (const file of built.files.filter((each) => !each.startsWith("types/"))) {
    const text = readFileSync(path.join(installed, file), "utf8");
    expect(text.match(/HALCYON_ROOT|circuits[/\\]+artifacts|"artifacts"/g), file).toBeNull();
    expect(text, file).not.toContain(ROOT);
  }
});

test("it holds the circuits of a recovery, which no service has to give out then", () => {
  const held = readdirSync(path.join(installed, "circuits"));
  expect(held).toHaveLength(2 * OF_A_RECOVERY.length);
  for (const hash of held) {
    const bytes = readFileSync(path.join(installed, "circuits", hash));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
  }
});

test("it says under which license it is, and under which its dependencies are", () => {
  const read = (file: string) => readFileSync(path.join(installed, file), "utf8");
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0");
  expect(read("LICENSE")).toContain("Apache License");
  const notices = read("THIRD_PARTY_NOTICES");
  for (const name of [...DEPENDENCIES, ...CLI_DEPENDENCIES, ...BUNDLED])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+  \\S+$`, "m"));
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
  // Imports of a separate entry, for programs that already have the package.
  expect([...new Set(more.filter((name) => !name.startsWith("node:")))]).toEqual(Object.keys(PEERS));
  expect(readFileSync(path.join(installed, "node", "index.js"), "utf8")).not.toContain("mppx");
  for (const file of built.files.filter((name) => name.startsWith("browser/"))) {
    const text = readFileSync(path.join(installed, file), "utf8");
    expect(text, file).not.toMatch(/\bprocess\b[.?]|\bBuffer\b|\brequire\(|"node:/);
  }
});

test("its command line runs by itself, and contains of others only what the notices name", () => {
  const script = path.join(installed, "cli", "halcyon.js");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [script, ...args], { encoding: "utf8", cwd: folder });
  expect(run("--version").trim()).toBe(root.version);
  expect(run("send", "--help")).toContain("--amount");
  const inside = Object.keys(built.cli.inputs).flatMap(
    (file) => /node_modules\/((@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  const notices = readFileSync(path.join(installed, "THIRD_PARTY_NOTICES"), "utf8");
  for (const name of new Set(inside)) expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
  const more = outside(built.cli).filter(
    (name) => ![...DEPENDENCIES, ...CLI_DEPENDENCIES].some((one) => name === one || name.startsWith(`${one}/`)),
  );
  expect(more.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))).toEqual([]);
});

test("it is small", () => {
  for (const platform of ["node", "browser"] as const) {
    expect(compressed(platform, loadedFirst(platform)), platform).toBeLessThan(LIMITS.first);
    expect(compressed(platform), platform).toBeLessThan(LIMITS.all);
  }
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
  const resources = built.files.filter((file) => file.startsWith("types/sdk/resources/"));
  for (const file of ["types/sdk/halcyon-client.d.ts", ...resources]) {
    const members = readFileSync(path.join(installed, file), "utf8").split("\n");
    members.forEach((line, index) => {
      const explained = members[index - 1]?.endsWith("*/");
      if (/^ {4}(readonly )?\w+[(:]/.test(line) && !/constructor/.test(line) && !explained) lost.push(line.trim());
    });
  }
  expect(lost).toEqual([]);
});

const CONSUMER = `
import {
  ChainUnreachable, FIRST_CURSOR, type HalcyonEvent, Halcyon, HalcyonError, InsufficientBalanceError, TransferFailed,
  verifyWebhook,
} from "@halcyon/sdk";
declare const env: Record<string, string | undefined>;
const { url, HALCYON_API_KEY: apiKey, HALCYON_WALLET_KEY: walletKey } = env;
const halcyon = new Halcyon({ url, apiKey, walletKey, rpcUrl: env.RPC, maxRetries: 1, timeout: 10_000 });
export async function pay(signal?: AbortSignal): Promise<string> {
  try {
    const sent = await halcyon.transfers.create({ to: "@bob", amount: "25", memo: env.MEMO }, { signal });
    if (sent.status === "pending_approval") return sent.expires_at;
    const final: "confirmed" = sent.status;
    return final + sent.transfer_id.length + sent.tx_hash;
  } catch (error) {
    if (error instanceof InsufficientBalanceError) {
      const { code, status }: { code: "insufficient_balance"; status?: number } = error;
      return code + status;
    }
    if (error instanceof TransferFailed) return error.transfer.transfer_id;
    if (error instanceof HalcyonError && error.code === "policy_violation") return error.message + error.requestId;
    throw error;
  }
}
export async function later(key: string | undefined): Promise<string | null> {
  const sent = await halcyon.transfers.create({ to: "@bob", amount: "25" }, { wait: false, idempotencyKey: key });
  if (sent.status !== "pending_approval") return sent.transfer_id + sent.direction;
  const own = await halcyon.transfers.create({ to: "@bob", amount: "25", clientSigned: true });
  return own.status === "pending_approval" ? own.transaction_id : own.transfer_id;
}
export const event: HalcyonEvent = verifyWebhook("{}", {}, env.HALCYON_WEBHOOK_SECRET);
export const first: string = FIRST_CURSOR;
export const isChain = (error: unknown) => error instanceof ChainUnreachable;
void halcyon.webhooks.deliveries("wh_1", { event: "transfer.confirmed", from: "2026-01-01" });
// @ts-expect-error amounts are decimal strings
void halcyon.transfers.create({ to: "@bob", amount: 25 });
// @ts-expect-error the key is an option of the call
void halcyon.transfers.create({ to: "@bob", amount: "25", idempotencyKey: "order-1" });
// @ts-expect-error a mistyped event
void halcyon.webhooks.create({ url: "https://example.com", events: ["transfer.comfirmed"] });
// @ts-expect-error a mistyped event
void halcyon.events.list({ types: ["transfer.comfirmed"] });
`;

/** Returns the samples of a document as one program. */
const samplesOf = (markdown: string) =>
  [...markdown.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, sample]) => sample).join("\n");

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
])("its types hold in a strict program for %s, down to the last declaration", (_, options) => {
  writeFileSync(path.join(folder, "consumer.mts"), CONSUMER);
  const files = ["consumer.mts"];
  if (options.types.length > 0) {
    cpSync(path.join(ROOT, "examples/shop-server/server.ts"), path.join(folder, "shop.mts"));
    writeFileSync(path.join(folder, "readme.mts"), samplesOf(readFileSync(path.join(ROOT, "sdk/README.md"), "utf8")));
    files.push("shop.mts", "readme.mts");
  }
  const compilerOptions = {
    target: "ES2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    ...options,
  };
  const config = path.join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  let said = "";
  try {
    execFileSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
  } catch (error) {
    said = String((error as { stdout?: string }).stdout);
  }
  // Errors in declarations of dependencies are not ours.
  const errors = said.split("\n").filter((line) => line.includes("error TS"));
  expect(errors.filter((line) => !/node_modules\/(?!@halcyon\/)/.test(line))).toEqual([]);
});

test("every TypeScript sample of every document compiles with it, in strict mode", async () => {
  const samples = await collectSamples();
  const documents = samples.map(({ name }) => name);
  expect(documents).toEqual(expect.arrayContaining(["sdk/README.md", "docs/guides/quick-start.md"]));
  expect(documents).toEqual(expect.arrayContaining(["reference/createTransfer", "sdk/resources/keys-resource.ts 1"]));
  expect(await compileSamples(folder, samples)).toEqual([]);
});
