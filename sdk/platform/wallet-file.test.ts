import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { newWallet, parseWalletKey, readWalletKey } from "./wallet-file";

test("a new wallet's key is in its file only, readable by its owner alone, and never overwritten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "deep", "alice.key");
  const made = await newWallet(path);
  const key = await readWalletKey(path);
  expect(privateKeyToAddress(key)).toBe(made.address);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(made)).not.toContain(key.slice(2));
  await expect(newWallet(path)).rejects.toThrow("never overwritten");
  expect((await readFile(path, "utf8")).trim()).toBe(key);
  await rm(folder, { recursive: true });
});

test("a key is read with or without 0x, and a refusal does not repeat it", () => {
  const key = "ab".repeat(32);
  expect(parseWalletKey(` ${key}\n`, "file")).toBe(`0x${key}`);
  expect(() => parseWalletKey(`${key}ff`, "file")).toThrow(/^(?!.*abab)/);
});

test("a wallet file that others can read is refused, with the remedy and without the key", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "alice.key");
  await newWallet(path);
  const key = await readWalletKey(path);
  for (const mode of [0o640, 0o604, 0o622]) {
    await chmod(path, mode);
    const refused = await readWalletKey(path).catch((error: Error) => error.message);
    expect(refused).toContain(`chmod 600 ${path}`);
    expect(refused).not.toContain(key.slice(2));
  }
  await rm(folder, { recursive: true });
});
