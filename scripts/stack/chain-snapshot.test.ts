import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

test("one that an earlier version wrote is loaded, until there is a newer one", () => {
  expect(unpackSnapshot(folder, GENESIS)).toBeUndefined();
  const old = path.join(folder, "snapshot.json");
  writeFileSync(old, JSON.stringify({ blocks: OWN, best: "0x1" }));
  expect(unpacked().best).toBe("0x1");
  writeSnapshot(folder, dumped({ blocks: OWN, best: "0x2" }));
  expect(existsSync(old)).toBe(false);
  expect(unpacked().best).toBe("0x2");
  expect(readdirSync(folder).sort()).toEqual(["loading.json", "snapshot.json.gz"]);
});
