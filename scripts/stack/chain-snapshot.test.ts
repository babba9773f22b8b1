import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unpackSnapshot, writeSnapshot } from "./chain-snapshot";
import { removeFolder } from "./files";

const GENESIS = 1_790_000_000;
const block = (number: string, timestamp: number) => ({ header: { number, timestamp: `0x${timestamp.toString(16)}` } });
const OWN = [block("0x0", GENESIS), block("0x1", GENESIS + 7)];
const dumped = (state: object) => `0x${gzipSync(JSON.stringify(state)).toString("hex")}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync("/tmp/halcyon-snapshot-");
});
afterEach(() => removeFolder(folder));

const unpacked = () => JSON.parse(readFileSync(unpackSnapshot(folder, GENESIS) ?? "", "utf8"));

test("a snapshot is stored as it was dumped: unpacking a long chain would keep its proxy from responding", () => {
  const dump = `0x${Buffer.from("anything").toString("hex")}`;
  writeSnapshot(folder, dump);
  expect(readFileSync(path.join(folder, "snapshot.json.gz"), "utf8")).toBe("anything");
});

test("it is loaded without the genesis blocks that are not the chain's", () => {
  writeSnapshot(folder, dumped({ blocks: [block("0x0", GENESIS + 999), ...OWN], best: "0x1" }));
  expect(unpacked()).toEqual({ blocks: OWN, best: "0x1" });
});

test("one that cannot be unpacked is left alone, and leaves nothing behind: the journal suffices", () => {
  writeSnapshot(folder, "0x00");
  expect(unpackSnapshot(folder, GENESIS)).toBeUndefined();
  writeSnapshot(folder, dumped({ blocks: OWN, filler: "x".repeat(10_000) }));
  // A full disk. Refused writes also raise a signal, which would end the process.
  const limit = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  limit(1_000);
  try {
    expect(unpackSnapshot(folder, GENESIS)).toBeUndefined();
  } finally {
    limit("unlimited");
    process.off("SIGXFSZ", ignore);
  }
  expect(readdirSync(folder)).toEqual(["snapshot.json.gz"]);
  expect(unpacked().best).toBeUndefined();
});
