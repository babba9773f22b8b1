import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build, transformSync } from "esbuild";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { installPackage } from "@/test/sdk/install-package";
import { packedSdk } from "../packed-sdk";
import { expect, NOWHERE, test } from "./fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-package-"));

// One installed package for all tests.
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  await installPackage(await packedSdk(), folder);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the installed command line runs anywhere, through npx too", async () => {
  const { stdout } = await run("npx", ["--no", "--", "halcyon", "--version"], { cwd: folder });
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the quick start's TypeScript pays from the project that the page sets up, with the package that it installs", async ({
  payer,
  baseURL,
}) => {
  const guide = readFileSync(path.join(ROOT, "docs/guides/quick-start.md"), "utf8");
  const setUp = /^cd \/path\/to\/project && (npm init .*)$/m.exec(guide)?.[1] ?? "";
  const sample = /```ts\n([^`]+)```/.exec(guide)?.[1] ?? "";
  const ada = await payer("ada", "30");
  const { api_key: BLIND_API_KEY, home_key: BLIND_HOME_KEY } = await ada.json<{ api_key: string; home_key: string }>(
    ...["keys", "create", "--label", "app", "--blind"],
  );
  const project = mkdtempSync(path.join(folder, "project-"));
  await run("sh", ["-c", setUp], { cwd: project });
  await installPackage(await packedSdk(), project);
  const { code } = transformSync(sample.replaceAll("http://localhost:3000", baseURL ?? ""), { loader: "ts" });
  writeFileSync(path.join(project, "pay.js"), code);
  // Later versions of Node guess what kind of file it is.
  const [major = 0] = process.versions.node.split(".").map(Number);
  const flags = major >= 22 ? ["--no-experimental-detect-module"] : [];
  const env = { PATH: process.env.PATH, HOME: project, BLIND_API_KEY, BLIND_HOME_KEY, NODE_ENV: "test" as const };
  const { stdout } = await run(process.execPath, [...flags, "pay.js"], { cwd: project, env });
  expect(stdout).toMatch(/transfer_id: 'tr_\w+',\n {2}status: 'confirmed'/);
});

/** Returns the README's TypeScript without types, in order, for these handles and this service. */
function samples(url: string, handles: { alice: string; bob: string }): string {
  const readme = readFileSync(path.join(ROOT, "sdk/README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  expect(blocks).toHaveLength(11);
  return transformSync(blocks.join("\n"), { loader: "ts", format: "esm", target: "es2022" })
    .code.replaceAll("http://localhost:3000", url)
    .replaceAll('handle: "alice"', `handle: "${handles.alice}"`)
    .replaceAll("@bob", `@${handles.bob}`);
}

test("the installed package pays, proves and verifies as its readme says, with circuits it gets from the service", async ({
  person,
  baseURL,
}) => {
  const [alice, bob] = [await person("alice", { enroll: false }), await person("bob")];
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const event = JSON.stringify({ event: "transfer.confirmed", event_id: "evt_1", transfer_id: "tr_1" });
  const signature = createHmac("sha256", secret).update(event).digest("hex");
  const deliver = (body: string) => `receive(${JSON.stringify(body)}, { "x-service-signature": "${signature}" })`;
  const report = `
const report = { paid, has_more, answer: await answer.json(), link, proven, event: ${deliver(event)} };
try {
  ${deliver(`${event} `)};
} catch ({ name }) {
  report.forged = name;
}
console.log(JSON.stringify(report));`;
  writeFileSync(
    path.join(folder, "samples.mjs"),
    samples(baseURL ?? "", { alice: alice.handle, bob: bob.handle }) + report,
  );
  const env = {
    PATH: process.env.PATH,
    HALCYON_WALLET_KEY: await alice.walletKey(),
    HALCYON_WEBHOOK_SECRET: secret,
    HALCYON_CONFIG_DIR: path.join(folder, "config"),
  };
  const { stdout } = await run(process.execPath, ["samples.mjs"], { cwd: folder, env: { ...env, NODE_ENV: "test" } });
  expect(stdout).toMatch(/^confirmed 0x[0-9a-f]{64}$/m);
  expect(stdout).toMatch(/^insufficient_balance 402 req_\w+$/m);
  expect(stdout).toMatch(new RegExp(`^@${bob.handle} 25 lunch$`, "m"));
  expect(stdout).toMatch(/^25 USDG 0x[0-9a-f]{40} 20\S+Z true$/m);
  expect(stdout).toMatch(/^20 USDG true \d+$/m);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    paid: { status: "confirmed", to: `@${bob.handle}` },
    has_more: false,
    answer: { transfer_id: expect.stringMatching(/^tr_/), confidential: true },
    link: expect.stringMatching(/\/receipt#hcr1_/),
    proven: { amount: "25", asset: "USDG", to: bob.address.toLowerCase(), final: true },
    event: { event_id: "evt_1" },
    forged: "InvalidWebhook",
  });
  expect(
    (await bob.json<{ transfers: { amount: string }[] }>("transfers")).transfers.map(({ amount }) => amount),
  ).toEqual(["5", "25", "25"]);
});

test("a payment signed and proved by the installed package works in every process, from any folder, with an empty home", async ({
  payer,
  person,
  network,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const [home, elsewhere] = [path.join(folder, "home"), path.join(folder, "elsewhere")];
  for (const each of [home, elsewhere]) mkdirSync(each);
  const program = path.join(folder, "pay.mjs");
  writeFileSync(
    program,
    `import { Halcyon } from "@halcyon/sdk";
     const { HALCYON_URL: url, HALCYON_WALLET_KEY: walletKey } = process.env;
     const [to, amount] = process.argv.slice(2);
     console.log(JSON.stringify(await new Halcyon({ url, walletKey }).transfers.create({ to, amount, clientSigned: true })));`,
  );
  const env = { PATH: process.env.PATH, HOME: home, HALCYON_URL: baseURL, HALCYON_WALLET_KEY: await alice.walletKey() };
  const commandLine = path.join(folder, "node_modules", ".bin", "halcyon");
  // The first process gets the circuits from the service, the others read what it kept.
  const to = `@${bob.handle}`;
  const runs: [string, string[]][] = [
    [commandLine, ["send", "--client-signed", "--json", "--to", to, "--amount", "1"]],
    [process.execPath, [program, to, "2"]],
    [commandLine, ["send", "--client-signed", "--json", "--to", to, "--amount", "3"]],
  ];
  for (const [file, args] of runs) {
    const { stdout } = await run(file, args, { cwd: elsewhere, env: { ...env, NODE_ENV: "test" } });
    expect(JSON.parse(stdout)).toMatchObject({ status: "confirmed", to });
  }
  expect(readdirSync(path.join(home, ".config", "halcyon", "circuits"))).toHaveLength(2);
  expect([readdirSync(home), readdirSync(elsewhere)]).toEqual([[".config"], []]);
  const { transfers } = await bob.json<{ transfers: { amount: string }[] }>("transfers");
  expect(transfers.map(({ amount }) => amount)).toEqual(["3", "2", "1"]);

  // On a new machine and without the service, the package and a node give the money back.
  await (await alice.client()).testHelpers.faucet({ asset: "ETH", amount: "0.01" });
  const owned = privateKeyToAddress(generatePrivateKey());
  const recover = ["recover", "--rpc", network.rpc_url, "--ledger", network.ledger, "--to", owned, "--json"];
  const alone = { ...env, HOME: mkdtempSync(path.join(folder, "new-")), HALCYON_URL: NOWHERE };
  const { stdout } = await run(commandLine, recover, { cwd: elsewhere, env: { ...alone, NODE_ENV: "test" } });
  expect(JSON.parse(stdout)).toMatchObject({
    balances: expect.arrayContaining([{ asset: "USDG", amount: "4" }]),
    steps: expect.arrayContaining([expect.objectContaining({ asset: "USDG", step: "release" })]),
  });
});

// The page's content security policy blocks scripts of a test.
test.use({ bypassCSP: true });

const PAGE_SCRIPT = `
import { Halcyon } from "@halcyon/sdk";
globalThis.payFromPage = async (walletKey, handle, to) => {
  const halcyon = new Halcyon({ walletKey });
  await halcyon.account.create({ handle });
  await halcyon.testHelpers.faucet({ amount: "10" });
  await halcyon.balances.makeAvailable();
  const { status } = await halcyon.transfers.create({ to, amount: "3", memo: "from a page", clientSigned: true });
  const { total } = await halcyon.balances.decrypt();
  return { status, total };
};`;

test("in a browser, bundled like any other module, it signs in, proves in its own worker and pays", async ({
  page,
  person,
}) => {
  const [alice, bob] = [await person("alice", { enroll: false }), await person("bob")];
  writeFileSync(path.join(folder, "app.mjs"), PAGE_SCRIPT);
  const site = path.join(folder, "site");
  await build({
    entryPoints: {
      app: path.join(folder, "app.mjs"),
      "prover-worker": path.join(folder, "node_modules/@halcyon/sdk/browser/prover-worker.js"),
    },
    outdir: site,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    absWorkingDir: folder,
    logLevel: "error",
  });
  await page.route("**/page-of-a-test/*", (route) => {
    const file = path.basename(new URL(route.request().url()).pathname);
    return route.fulfill({ path: path.join(site, file), contentType: "text/javascript" });
  });
  // A page served by the service itself: other pages may not read a chain on this machine.
  await page.goto("/");
  await page.addScriptTag({ url: "/page-of-a-test/app.js", type: "module" });
  await page.waitForFunction("globalThis.payFromPage !== undefined");
  const input = JSON.stringify([await alice.walletKey(), alice.handle, `@${bob.handle}`]);
  expect(await page.evaluate(`payFromPage(...${input})`)).toEqual({ status: "confirmed", total: "7" });
  const { transfers } = await bob.json<{ transfers: { amount: string; memo: string }[] }>("transfers");
  expect(transfers.map(({ amount, memo }) => [amount, memo])).toEqual([["3", "from a page"]]);
});
