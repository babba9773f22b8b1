import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../api/fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");

test("the README's five minutes work as they are written", async () => {
  test.setTimeout(400_000);
  const url = process.env.HALCYON_URL ?? "http://localhost:3000";
  const rpc = process.env.RPC_URL_46630 ?? "http://127.0.0.1:28545";
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-tour-"));
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const minutes = readme.slice(readme.indexOf("## Five minutes"), readme.indexOf("## How it keeps"));
  const blocks = [...minutes.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  expect(blocks).toHaveLength(3);
  // Only where the product runs, and where the two wallets lie, is the test's own.
  const script = blocks
    .join("\n")
    .replaceAll("http://127.0.0.1:28545", rpc)
    .replaceAll("localhost:3000", new URL(url).host)
    .replaceAll(/(alice|bob)\.key/g, path.join(folder, "$1.key"));
  try {
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
    expect(stdout).toMatch(/received\s+@alice\s+@bob\s+25\s+USDG\s+confirmed\s+lunch/);
    expect(stdout).toContain('{"balances":[{"asset":"USDG","amount":"975"}],"unopened_notes":0}');
    expect(stdout).toMatch(/"code":"policy_violation",.*"reason":"recipient_not_allowed"/);
    expect(stdout).toMatch(/txn_\w+\s+@alice\/bot\s+@bob\s+12\s+USDG\s+printer/);
    expect(stdout).toMatch(/status\s+approved/);
    expect(stdout).toMatch(/USDG\s+954\nof which agent 0x\w{40}: 34 USDG\s*$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
