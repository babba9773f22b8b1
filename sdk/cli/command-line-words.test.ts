import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { COMMAND_LINE_WORDS, inCommandLineWords } from "./command-line-words";

const SDK = path.join(import.meta.dirname, "..");
const textsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/^(cli|mcp)\/|\.test\.ts$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8"))
    .join("\n");
const sources = textsOf(SDK);
const service = textsOf(path.join(SDK, "../lib"));

test("every message of the package that names an option names the command line's own there", () => {
  const unused = COMMAND_LINE_WORDS.filter(([ours]) => !`${sources}${service}`.includes(ours));
  expect(unused).toEqual([]);
  for (const [, said = ""] of sources.matchAll(
    /[`"]([^`"\n]*\boption (?:url|rpcUrl|timeout|walletKey|apiKey)\b[^`"\n]*)[`"]/g,
  )) {
    expect(inCommandLineWords(said)).not.toMatch(/\boption \w+/);
  }
});

test("every message that names a request of the API names a command there", () => {
  // In strings, not in comments and descriptions.
  const said = [...service.matchAll(/^(?!\s*(?:\*|\/\*|\/\/)).*["`]([^"`\n]*\bGET \/v1\/[^"`\n]*)["`]/gm)];
  expect(said.length).toBeGreaterThan(5);
  for (const [, message = ""] of said) expect(inCommandLineWords(message)).not.toContain("/v1/");
});

test.each([
  ["Send publicly with `confidential: false`.", /--public/],
  ['from is a Date, or a time as a text such as "2026-01-31T12:00:00Z".', /^from is a time such as "2026/],
  ["timeZone is the name of a time zone, such as Europe/Zurich or UTC.", /^--time-zone is/],
  ["The price is more than max. Look at it first (x402.price, --dry-run). Nothing was paid.", /\(--dry-run\)/],
])("no words of the API are left in: %s", (said, right) => {
  expect(inCommandLineWords(said)).toMatch(right);
  expect(inCommandLineWords(said)).not.toMatch(/`confidential|\bDate\b|timeZone|x402/);
});

test("the package's own messages name no variable and no option of the command line", () => {
  const said = sources.match(
    /^(?!\s*(\*|\/\*|\/\/)).*["`][^"`\n]*(HALCYON_(API_KEY|URL|WALLET_KEY|RPC_URL)|--(url|rpc|public|to|ledger|wallet-key-file)\b)/gm,
  );
  expect(said).toBeNull();
});
