import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { COMMAND_LINE_WORDS, inCommandLineWords } from "./command-line-words";

const SDK = path.join(import.meta.dirname, "..");
const sources = readdirSync(SDK, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/^(cli|mcp)\/|\.test\.ts$/.test(file))
  .map((file) => readFileSync(path.join(SDK, file), "utf8"))
  .join("\n");

test("every message of the package that names an option names the command line's own there", () => {
  const unused = COMMAND_LINE_WORDS.filter(([ours]) => !sources.includes(ours));
  expect(unused).toEqual([]);
  for (const [, said = ""] of sources.matchAll(
    /[`"]([^`"\n]*\boption (?:url|rpcUrl|timeout|walletKey|apiKey)\b[^`"\n]*)[`"]/g,
  )) {
    expect(inCommandLineWords(said)).not.toMatch(/\boption \w+/);
  }
});

test("the package's own messages name no variable and no option of the command line", () => {
  const said = sources.match(
    /^(?!\s*(\*|\/\*|\/\/)).*["`][^"`\n]*(HALCYON_(API_KEY|URL|WALLET_KEY|RPC_URL)|--(url|rpc|public|to|ledger|wallet-key-file)\b)/gm,
  );
  expect(said).toBeNull();
});
