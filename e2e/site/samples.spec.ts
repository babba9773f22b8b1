import { expect, test } from "../api/fixtures";
import { type GuideBlock, type GuideText, guideTexts } from "./guide-blocks";
import { installed, lastJson, Reader, shapeOf } from "./reader";
import { asOneProgram, referenceSamples } from "./reference-samples";

const RUN = ["bash", "sh", "ts", "python"];
/** Shown and not run, by page: starting the service, a network of one's own, what never ends. */
const NOT_RUN: Record<string, number> = {
  "quick-start": 2,
  recovery: 3,
  "self-hosting": 1,
  backups: 1,
  webhooks: 1,
};
/** Languages a guide may show; those that are not run here are data, or run by sdk/webhooks/webhook-docs.test.ts. */
const KNOWN = [...RUN, "json", "yaml", "http", "go", "ruby", ""];

const texts = guideTexts();
const python = installed("python3");

const readers: Reader[] = [];
// A worker may come back to this file after it has left.
test.afterAll(() => {
  prepared = undefined;
  for (const reader of readers.splice(0)) reader.leave();
});

async function newReader(): Promise<Reader> {
  const reader = await Reader.arrives(process.env.HALCYON_URL ?? "http://localhost:3000");
  readers.push(reader);
  return reader;
}

let prepared: Promise<Reader> | undefined;

/** A reader who stands where the quick start ends, one for each worker. */
function afterQuickStart(): Promise<Reader> {
  const go = async () => {
    const reader = await newReader();
    await reader.skipsQuickStart();
    return reader;
  };
  prepared ??= go();
  return prepared;
}

function textOf(name: string): GuideText {
  const found = texts.find((text) => text.name === name);
  if (!found) throw new Error(`no guide ${name}`);
  return found;
}

/** Code of receivers in the guide of webhooks is a library: sdk/webhooks/webhook-docs.test.ts runs it with signed deliveries. */
function runnable({ name, blocks }: GuideText): GuideBlock[] {
  const languages = name === "webhooks" ? ["sh"] : python ? RUN : RUN.filter((language) => language !== "python");
  return blocks.filter(({ language, norun }) => languages.includes(language) && norun === undefined);
}

test("few blocks are not run, each says why, and every language is known", () => {
  const marked = texts.flatMap(({ name, blocks }) => blocks.filter(({ norun }) => norun).map(() => name));
  expect(Object.fromEntries(marked.map((name) => [name, marked.filter((one) => one === name).length]))).toEqual(
    NOT_RUN,
  );
  for (const { name, blocks } of texts) {
    for (const { language, code } of blocks) {
      expect(KNOWN, name).toContain(language);
      if (language === "json") expect(() => JSON.parse(code), `${name}: ${code}`).not.toThrow();
    }
  }
});

for (const text of texts.filter((one) => runnable(one).length > 0 && one.name !== "quick-start")) {
  test(`every sample of ${text.name} does what it says, after the quick start`, async () => {
    test.setTimeout(300_000);
    await follows(await afterQuickStart(), text);
  });
}

test("every sample of the quick start does what it says, from nothing", async () => {
  test.setTimeout(240_000);
  await follows(await newReader(), textOf("quick-start"));
});

for (const language of ["bash", "ts", ...(python ? ["python"] : [])]) {
  test(`the service takes every sample of the reference in ${language}`, async ({ request }) => {
    test.setTimeout(300_000);
    const samples = await referenceSamples(request, language);
    const { paths } = await (await request.get("/openapi.json")).json();
    expect(samples).toHaveLength(Object.values(paths).flatMap((methods) => Object.keys(methods as object)).length);
    const reader = await afterQuickStart();
    const [printed = ""] = await reader.run([asOneProgram(samples, language)]);
    const statuses = [...printed.matchAll(/^(\d{3})(?= |$)/gm)].map(([, status]) => Number(status));
    expect(statuses).toHaveLength(samples.length);
    // Ids and handles of the examples are somebody else's: what is malformed would be refused before they are looked up.
    expect(statuses.filter((status) => [400, 401, 405, 413, 415, 429].includes(status) || status >= 500)).toEqual([]);
    expect(printed).not.toMatch(/"code":"(invalid_|method_not|unauthorized)/);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(7);
  });
}

/** Runs a page, and compares each JSON document it shows with what the command above it printed. */
async function follows(reader: Reader, text: GuideText): Promise<void> {
  const blocks = runnable(text);
  const printed = await reader.run(blocks);
  let shownErrors = 0;
  for (const [at, block] of text.blocks.entries()) {
    if (block.language !== "json") continue;
    const command = text.blocks.slice(0, at).findLast(({ language }) => language === "bash");
    const index = command ? blocks.indexOf(command) : -1;
    if (index < 0) continue;
    const shown = JSON.parse(block.code);
    if ("error" in shown) shownErrors += 1;
    expect(shapeOf(lastJson(printed[index] ?? "")), `${text.name}: ${command?.code}`).toEqual(shapeOf(shown));
  }
  const answeredErrors = printed.filter((one) => /^\{"error":/m.test(one));
  expect(answeredErrors, `errors that ${text.name} does not show`).toHaveLength(shownErrors);
}
