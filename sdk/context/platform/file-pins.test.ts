import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zeroAddress } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asset, NetworkInfo } from "../../api/network-info";
import { PinMismatch } from "../../api/pin-mismatch";
import { Pins } from "../pins";
import { FilePins } from "./file-pins";

const BOB = `0x${"b0".repeat(20)}` as const;
const MALLORY = `0x${"aa".repeat(20)}` as const;
const info: NetworkInfo = {
  network: "test",
  chainId: 46630,
  ledger: `0x${"11".repeat(20)}`,
  domainSalt: `0x${"22".repeat(32)}`,
  assets: [],
  local: false,
  rpcUrl: "http://127.0.0.1:1",
  finality: "latest",
};
let folder: string;
const pins = () => new Pins(new FilePins(folder));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "halcyon-pins-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a handle keeps the address of its first use, over processes and in any case", async () => {
  await pins().checkHandle(info, "@Bob", BOB);
  await expect(pins().checkHandle(info, "@bob", BOB)).resolves.toBe(BOB);
  await expect(pins().checkHandle(info, "@bob", MALLORY)).rejects.toThrow(PinMismatch);
});

test("one's own account keeps the handle of its first use, in any case", async () => {
  await pins().checkOwnHandle(info, BOB, "@bob");
  await pins().checkOwnHandle(info, BOB, "@Bob");
  await expect(pins().checkOwnHandle(info, BOB, "@mallory")).rejects.toThrow("calls your account @mallory");
  await pins().checkOwnHandle(info, MALLORY, "@mallory");
});

test("looking at a pin makes none", async () => {
  expect(await pins().addressOf(info, "@bob")).toBeUndefined();
  await expect(pins().checkHandle(info, "@bob", BOB)).resolves.toBe(BOB);
  expect(await pins().addressOf(info, "@BOB")).toBe(BOB);
  expect(await pins().addressOf(info, "@bob/bot")).toBeUndefined();
});

test("handles of another ledger are pinned apart", async () => {
  await pins().checkHandle(info, "@bob", BOB);
  const other = { ...info, domainSalt: `0x${"33".repeat(32)}` as const };
  await expect(pins().checkHandle(other, "@bob", MALLORY)).resolves.toBe(MALLORY);
});

test("a service keeps the ledger of its first use, but one of the local stack may change", async () => {
  const other = { ...info, ledger: MALLORY };
  await pins().checkLedger("https://pay.example", info);
  await expect(pins().checkLedger("https://pay.example", other)).rejects.toThrow(PinMismatch);
  await pins().checkLedger("http://localhost:3000", { ...info, local: true });
  await pins().checkLedger("http://localhost:3000", { ...other, local: true });
  // A service elsewhere that claims to be a local stack is still pinned.
  await expect(pins().checkLedger("https://pay.example", { ...other, local: true })).rejects.toThrow(PinMismatch);
});

test("an asset keeps the address, decimals and unit of its first use, except on the local stack", async () => {
  const usdg: Asset = { symbol: "USDG", address: BOB, decimals: 6, unit: 1n };
  const eth: Asset = { symbol: "ETH", address: zeroAddress, decimals: 9, unit: 10n ** 9n };
  await pins().checkAssets("https://pay.example", { ...info, assets: [usdg, eth] });
  await pins().checkAssets("https://pay.example", { ...info, assets: [eth] });
  for (const changed of [{ address: MALLORY }, { decimals: 9 as const }, { unit: 1000n }]) {
    const other = { ...info, assets: [eth, { ...usdg, ...changed }] };
    await expect(pins().checkAssets("https://pay.example", other)).rejects.toThrow(PinMismatch);
    await pins().checkAssets("http://localhost:3000", { ...other, local: true });
  }
});

test("the file of pins is for its owner alone, and a damaged one is not silently replaced", async () => {
  await pins().checkHandle(info, "@bob", BOB);
  const path = join(folder, "pins.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, "{");
  await expect(pins().checkHandle(info, "@bob", MALLORY)).rejects.toThrow("damaged");
  expect(await readFile(path, "utf8")).toBe("{");
});

test("clients of one process that pin at the same time lose nothing, and none of them fails", async () => {
  const handles = Array.from({ length: 20 }, (_, n) => `@person-${n}`);
  await Promise.all(handles.map((handle) => pins().checkHandle(info, handle, BOB)));
  expect(await Promise.all(handles.map((handle) => pins().addressOf(info, handle)))).toEqual(handles.map(() => BOB));
});

test("a pin that failed keeps no later one from being kept", async () => {
  await writeFile(join(folder, "pins.json"), "damaged");
  await expect(pins().checkHandle(info, "@bob", BOB)).rejects.toThrow("is damaged");
  await rm(join(folder, "pins.json"));
  await expect(pins().checkHandle(info, "@bob", BOB)).resolves.toBe(BOB);
});
