import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { version } from "@/package.json";

const FOLDER = import.meta.dirname;
const installed = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

if (installed) {
  test("the Python client's own tests pass: payments, retries, webhooks, the API's operations, the README", () => {
    const args = ["-m", "unittest", "discover", "-s", ".", "-t", "."];
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    const { status, stderr } = spawnSync("python3", args, { cwd: FOLDER, env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(30);
  });
} else {
  test("no Python of version 3.9 is installed, so the Python client is not run: it compares in constant time", () => {
    const read = (file: string) => readFileSync(path.join(FOLDER, "halcyon", file), "utf8");
    expect(read("_webhook_signature.py")).toContain("hmac.compare_digest");
    expect(read("_version.py")).toContain(`VERSION = "${version}"`);
  });
}
