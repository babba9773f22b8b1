import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { ChainJournal, JournalUnwritable } from "./chain-journal";

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-journal-"));
const file = path.join(folder, "journal.jsonl");
const block = (number: number) => ({
  number,
  timestamp: number,
  parentHash: "0x00",
  transactions: ["0xab".repeat(40)],
});
const line = (number: number) => `${JSON.stringify(block(number))}\n`;

/** Simulates a full disk without root: the kernel writes what fits, then refuses. */
function limitFileSize(bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
}

// Refused writes also raise this signal, which would end the process.
process.on("SIGXFSZ", () => {});

afterEach(() => {
  limitFileSize("unlimited");
  rmSync(file, { force: true });
});

it("is readable after the disk was full, and continues where the last success ended", () => {
  const journal = new ChainJournal(file);
  journal.append(block(1));
  const length = statSync(file).size;
  limitFileSize(length + 30);
  expect(() => journal.append(block(2))).toThrow(JournalUnwritable);
  expect(statSync(file).size).toBe(length);
  expect(journal.head).toBe(1);
  limitFileSize("unlimited");
  journal.append(block(2));
  journal.close();
  expect(readFileSync(file, "utf8")).toBe(line(1) + line(2));
  const again = new ChainJournal(file);
  expect(again.block(2)).toEqual(block(2));
  again.close();
});

it("drops a line without its end, and reads a whole one behind a torn one", () => {
  writeFileSync(file, `${line(1)}${line(2).slice(0, 40)}${line(2)}${line(3).slice(0, 60)}`);
  const journal = new ChainJournal(file);
  expect(journal.head).toBe(2);
  expect(journal.block(2)).toEqual(block(2));
  journal.append(block(3));
  journal.close();
  expect(readFileSync(file, "utf8").endsWith(`${line(2)}${line(3)}`)).toBe(true);
});

it("is for its owner's eyes, also when an older version made it", () => {
  writeFileSync(file, line(1), { mode: 0o644 });
  new ChainJournal(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
