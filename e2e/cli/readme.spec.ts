import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../api/fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");
const url = process.env.HALCYON_URL ?? "http://localhost:3000";

/** Returns the shell blocks of a document as one text. Only the product's address is replaced. */
function blocksOf(file: string, expected: number): string {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  expect(blocks, file).toHaveLength(expected);
  return blocks
    .join("\n")
    .replaceAll("http://127.0.0.1:28545", process.env.RPC_URL_46630 ?? "http://127.0.0.1:28545")
    .replaceAll("localhost:3000", new URL(url).host);
}

/**
 * Runs a script in the clone as a person without any configuration.
 *
 * @returns what it printed
 */
async function typed(script: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      HALCYON_URL: url,
      HALCYON_CONFIG_DIR: folder,
    },
  });
  return stdout;
}

let folder = "";
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "halcyon-tour-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the README's first payment and its agent work when they are pasted", async () => {
  const name = `ada-${randomBytes(4).toString("hex")}`;
  const script = blocksOf("README.md", 2).replaceAll(/(?<=--handle |@)ada\b/g, name);
  const printed = await typed(script, folder);
  expect(printed).toMatch(new RegExp(`sent\\s+@${name}\\s+@demo\\s+25\\s+USDG\\s+\\w+\\s+-\\s+Lunch`));
  expect(printed).toMatch(/"transfer_id":"tr_\w+"/);
  expect(printed).toMatch(new RegExp(`handle\\s+@${name}/bot`));
});

test("the command line's tour works as it is written", async () => {
  test.slow();
  const tour = blocksOf("sdk/cli/README.md", 3).replaceAll(/(alice|bob)\.key/g, path.join(folder, "$1.key"));
  const stdout = await typed(tour, folder);
  expect(stdout).toMatch(/received\s+@alice\s+@bob\s+25\s+USDG\s+confirmed\s+-\s+lunch/);
  expect(stdout).toContain('{"balances":[{"asset":"USDG","amount":"975"}],"undecrypted_notes":0}');
  expect(stdout).toMatch(/"code":"policy_violation",.*"reason":"recipient_not_allowed"/);
  expect(stdout).toMatch(/txn_\w+\s+@alice\/bot\s+@bob\s+12\s+USDG\s+printer/);
  expect(stdout).toMatch(/status\s+approved/);
  expect(stdout).toMatch(/USDG\s+954\nof which agent 0x\w{40}: 34 USDG\s*$/);
});
