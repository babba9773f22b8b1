import { execFileSync, execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { removeFolder } from "../stack/files";

/** Stands in for the installed package, so that nothing needs a service. */
const PACKAGE = `export class Halcyon {
  transfers = { create: async (input) => ({ transfer_id: "tr_1", ...input }) };
}`;

it("the quick start's TypeScript runs in the project that the page sets up", () => {
  const guide = readFileSync("docs/guides/quick-start.md", "utf8");
  const setUp = /^cd \/path\/to\/project && (npm init .*)$/m.exec(guide)?.[1] ?? "";
  const sample = /```ts\n([^`]+)```/.exec(guide)?.[1] ?? "";
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-fresh-"));
  try {
    execSync(setUp, { cwd: folder, stdio: "ignore" });
    const installed = path.join(folder, "node_modules", "@halcyon", "sdk");
    mkdirSync(installed, { recursive: true });
    writeFileSync(path.join(installed, "package.json"), '{"type":"module","exports":"./index.js"}');
    writeFileSync(path.join(installed, "index.js"), PACKAGE);
    writeFileSync(path.join(folder, "pay.js"), transformSync(sample, { loader: "ts" }).code);
    // Later versions of Node guess what kind of file it is.
    const [major] = process.versions.node.split(".").map(Number);
    const flags = (major ?? 0) >= 22 ? ["--no-experimental-detect-module"] : [];
    const printed = execFileSync(process.execPath, [...flags, "pay.js"], { cwd: folder, encoding: "utf8" });
    expect(printed).toContain("transfer_id: 'tr_1'");
  } finally {
    removeFolder(folder);
  }
});
