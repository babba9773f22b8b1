import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LogFile } from "./log-file";

let folder = "";
let file = "";
let said: string[] = [];
const options = () => ({ maxBytes: 100, kept: 2, say: (line: string) => said.push(line) });

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "halcyon-log-"));
  file = path.join(folder, "web.log");
  said = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("stops nothing when the disk is full, says so once, and continues when there is space again", async () => {
  symlinkSync("/dev/full", file);
  const log = new LogFile(file, options());
  for (let line = 0; line < 3; line++) {
    log.write(Buffer.from("lost line\n"));
    await log.end();
  }
  expect(said).toEqual([expect.stringContaining("ENOSPC")]);
  rmSync(file);
  log.write(Buffer.from("a line\n"));
  await log.end();
  expect(readFileSync(file, "utf8")).toBe("… 30 bytes of this log could not be written …\na line\n");
});

it("loses the rest of what a filling disk takes a part of", async () => {
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  const limit = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
  const log = new LogFile(file, options());
  try {
    limit(15);
    log.write(Buffer.from("first line\nsecond line\n"));
    await log.end();
  } finally {
    limit("unlimited");
    process.off("SIGXFSZ", ignore);
  }
  log.write(Buffer.from("third line\n"));
  await log.end();
  expect(readFileSync(file, "utf8")).toMatch(/^first line\nseco… 23 bytes .*\nthird line\n$/);
});

it("takes a bounded place on the disk", async () => {
  const log = new LogFile(file, options());
  for (let line = 0; line < 50; line++) {
    log.write(Buffer.from(`${String(line).padEnd(30)}\n`));
    await log.end();
  }
  expect(readFileSync(file, "utf8")).toContain("49");
  for (const old of [".1", ".2"]) expect(statSync(file + old).size).toBeLessThanOrEqual(100);
  expect(existsSync(`${file}.3`)).toBe(false);
});

it("is for its owner's eyes, also when an older version made it", async () => {
  writeFileSync(file, "old\n", { mode: 0o644 });
  const log = new LogFile(file, options());
  log.write(Buffer.from("new\n"));
  await log.end();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
