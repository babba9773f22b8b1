import { randomInt } from "node:crypto";
import { expect, productURL, test } from "../api/fixtures";
import { lend } from "../lent-accounts";
import { type GuideBlock, type GuideText, guideTexts } from "./guide-blocks";
import { installed, lastJson, type QuickStarted, quickStarted, Reader, shapeOf } from "./reader";
import { asOneProgram, referenceSamples } from "./reference-samples";

const RUN = ["bash", "sh", "ts", "python"];
/** Blocks that are shown but not run, by page, with the reason from the Markdown. */
const NOT_RUN: Record<string, string[]> = {
  "quick-start": ["starts the service these samples run against", "installs into a project of your own"],
  webhooks: ["runs until Ctrl-C"],
  "follow-a-request": ["runs until Ctrl-C"],
  "test-webhooks": ["runs until Ctrl-C"],
  "verify-webhook-signatures": [
    ...["runs until Ctrl-C", "runs until Ctrl-C", "needs an app of Next", "runs until Ctrl-C"],
    ...["needs Flask", "needs FastAPI", "needs Django"],
  ],
  "blind-keys": [
    "the guides go on with the plain key of the quick start",
    "needs the two keys of a blind key",
    "runs until you stop it",
    ...["needs a running proxy", "needs a running proxy", "no Go here"],
  ],
  mcp: ["an application of your own reads it"],
  openapi: ["downloads a generator"],
  receive: ["runs until Ctrl-C", "runs until Ctrl-C"],
  recovery: [
    "sends the money away",
    "needs a saved backup and the wallet it was made for",
    "there is no lost balance to give up",
  ],
  "self-hosting": [
    "nodes and a key of your own",
    "addresses and secrets of your own",
    "root of a machine of your own",
    "a key and an account of your own",
  ],
  backups: [
    "copies a database and takes a minute",
    "a database and users of your own",
    "a database and a store of your own",
  ],
  "payment-requests": ["it needs a second account", "it needs an agent's key and someone else's link"],
  "pay-over-http": [
    ...["needs a seller", "needs a seller", "installs into a project of your own", "needs a seller"],
    ...["installs into a project of your own", "needs a seller", "needs an agent"],
    ...["runs until Ctrl-C", "runs until Ctrl-C", "runs until Ctrl-C", "needs an app of Next", "needs a request"],
    "runs until Ctrl-C",
  ],
  payouts: ["it needs a file and its recipients", "it needs the recipients"],
  schedules: ["it needs a recipient of yours", "it needs a recipient of yours"],
  "send-payments": [
    "it needs a payment that you received",
    "it needs a payment that you received",
    "it needs an agent",
  ],
};
/** The languages that a guide may use. Those not run here are data, or run by sdk/api/webhooks/webhook-docs.test.ts. */
const KNOWN = [...RUN, "json", "yaml", "csv", "http", "go", "ruby", ""];

const texts = guideTexts();
const python = installed("python3");

const readers: Reader[] = [];
// A worker may return to this file after it has left.
test.afterAll(() => {
  for (const reader of readers.splice(0)) reader.leave();
});

async function newReader(account?: QuickStarted): Promise<Reader> {
  const reader = await Reader.arrives(productURL, account);
  readers.push(reader);
  return reader;
}

/** Pages after which an account is no longer as at the end of the quick start, but for more payments and keys. */
const CHANGING = ["agents", "approvals", "balances", "keys-and-rotation", "mcp", "policies", "test-webhooks"];

/**
 * Follows a page with an account at the end of the quick start, in a folder of its own: what an earlier page wrote there
 * or exported is missing.
 */
async function followsLater(text: GuideText): Promise<void> {
  if (CHANGING.includes(text.name)) return follows(await newReader(await quickStarted(productURL)), text);
  const { account, giveBack } = await lend(
    "reader",
    () => quickStarted(productURL),
    (stored) => stored,
  );
  await follows(await newReader(account), text);
  giveBack();
}

function textOf(name: string): GuideText {
  const found = texts.find((text) => text.name === name);
  if (!found) throw new Error(`no guide ${name}`);
  return found;
}

function runnable({ blocks }: GuideText): GuideBlock[] {
  const languages = python ? RUN : RUN.filter((language) => language !== "python");
  return blocks.filter(({ language, norun }) => languages.includes(language) && norun === undefined);
}

test("few blocks are not run, each says why, and every language is known", () => {
  const reasons = texts.flatMap(({ name, blocks }) => {
    const given = blocks.flatMap(({ norun }) => (norun === undefined ? [] : [norun]));
    return given.length > 0 ? [[name, given]] : [];
  });
  expect(Object.fromEntries(reasons)).toEqual(NOT_RUN);
  for (const { name, blocks } of texts) {
    for (const { language, code } of blocks) {
      expect(KNOWN, name).toContain(language);
      if (language === "json") expect(() => JSON.parse(code), `${name}: ${code}`).not.toThrow();
    }
  }
});

for (const text of texts.filter((one) => runnable(one).length > 0 && one.name !== "quick-start")) {
  test(`every sample of ${text.name} does what it says, after the quick start alone`, async () => {
    test.slow();
    const needsAccount = runnable(text).some(({ code }) => /API_KEY|WALLET_KEY|\.\/halcyon/.test(code));
    await (needsAccount ? followsLater(text) : follows(await newReader(), text));
  });
}

test("every sample of the quick start does what it says, from nothing", async () => {
  await follows(await newReader(), textOf("quick-start"));
});

for (const language of ["bash", "ts", ...(python ? ["python"] : [])]) {
  test(`the service takes every sample of the reference in ${language}`, async ({ request }) => {
    const samples = await referenceSamples(request, language);
    const { paths } = await (await request.get("/openapi.json")).json();
    expect(samples).toHaveLength(Object.values(paths).flatMap((methods) => Object.keys(methods as object)).length);
    const reader = await newReader(await quickStarted(productURL));
    // Real clients generate a payment request's id, a new one each time.
    const drawn = `payreq_01KADJ2C9B${Array.from({ length: 16 }, () => randomInt(8)).join("")}`;
    const until = new Date(Math.floor(Date.now() / 1000 + 30 * 86_400) * 1000).toISOString();
    const own = samples.map((sample) =>
      sample.replaceAll(/payreq_[0-9A-Z]{26}/g, drawn).replaceAll("2027-06-30T12:00:00Z", until),
    );
    const [printed = ""] = await reader.run([asOneProgram(own, language)]);
    const statuses = [...printed.matchAll(/^(\d{3})(?= |$)/gm)].map(([, status]) => Number(status));
    expect(statuses).toHaveLength(samples.length);
    // The examples' ids and handles belong to someone else. Malformed requests would be refused before they are looked
    // up.
    expect(statuses.filter((status) => [400, 401, 405, 413, 415, 429].includes(status) || status >= 500)).toEqual([]);
    expect(printed).not.toMatch(/"code":"(invalid_|method_not|unauthorized)/);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(7);
  });
}

/**
 * Runs a page, and compares each JSON document that it shows with what the command above it printed, in the same
 * section.
 */
async function follows(reader: Reader, text: GuideText): Promise<void> {
  const blocks = runnable(text);
  const printed = await reader.run(blocks);
  let shownErrors = 0;
  for (const [at, block] of text.blocks.entries()) {
    if (block.language !== "json") continue;
    const above = text.blocks.slice(0, at).filter(({ section }) => section === block.section);
    const command = above.findLast(({ language }) => language === "bash");
    const index = command ? blocks.indexOf(command) : -1;
    if (index < 0) continue;
    const shown = JSON.parse(block.code);
    if ("error" in shown) shownErrors += 1;
    expect(shapeOf(lastJson(printed[index] ?? "")), `${text.name}: ${command?.code}`).toEqual(shapeOf(shown));
  }
  const errors = printed.filter((one) => /^\{"error":/m.test(one));
  expect(errors, `errors that ${text.name} does not show`).toHaveLength(shownErrors);
}
