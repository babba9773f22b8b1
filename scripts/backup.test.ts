import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./stack/config";

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-backup-"));
const data = path.join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command on a machine that has never run the local stack. */
function run(script: string, args: string[], more: NodeJS.ProcessEnv): { status: number | null; stderr: string } {
  const env = { ...process.env, HALCYON_DATA: data, NODE_NO_WARNINGS: "1", ...more };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", script, ...args], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  return { status, stderr };
}

test("a database that does not respond is not backed up, and the reason is a sentence without the password", () => {
  const target = path.join(folder, "copy");
  const BACKUP_DATABASE_URL = "postgres://halcyon_backup:s3cret@127.0.0.1:1/halcyon";
  const { status, stderr } = run("scripts/backup.ts", [target], { NODE_ENV: "test", BACKUP_DATABASE_URL });
  expect(stderr).toBe(
    "A connection failed. Check the addresses in the environment: connect ECONNREFUSED 127.0.0.1:1\n",
  );
  expect(status).toBe(1);
  expect(existsSync(target)).toBe(false);
});

test("what is no backup is not restored, and nothing is made for it", () => {
  const { status, stderr } = run("scripts/restore.ts", [folder], { NODE_ENV: "test" });
  expect(stderr).toBe(`${folder} is not a complete backup: it has no backup.json.\n`);
  expect(status).toBe(1);
  expect(existsSync(data)).toBe(false);
});
