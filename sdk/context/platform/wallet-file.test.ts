import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { newWallet, parseWalletKey, readWalletKey } from "./wallet-file";
import { encryptWalletKey } from "./wallet-keystore";
import { passphraseFrom } from "./wallet-passphrase";

test("a new wallet's key is in its file only, readable by its owner alone, and never overwritten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "deep", "alice.key");
  const wallet = await newWallet(path);
  const key = await readWalletKey(path);
  expect(privateKeyToAddress(key)).toBe(wallet.address);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(wallet)).not.toContain(key.slice(2));
  await expect(newWallet(path)).rejects.toThrow("never overwritten");
  expect((await readFile(path, "utf8")).trim()).toBe(key);
  await rm(folder, { recursive: true });
});

test("a key is read with or without 0x, and a refusal does not repeat it", () => {
  const key = "ab".repeat(32);
  expect(parseWalletKey(` ${key}\n`, "file")).toBe(`0x${key}`);
  expect(() => parseWalletKey(`${key}ff`, "file")).toThrow(/^(?!.*abab)/);
  // 0 and the curve's order are no keys.
  for (const number of ["0".repeat(64), "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"]) {
    const refused = { code: "invalid_request", message: expect.not.stringContaining(number.slice(0, 9)) };
    expect(() => parseWalletKey(`0x${number}`, "file")).toThrow(expect.objectContaining(refused));
  }
});

test("a keystore of an old wallet is read, and a file that begins with a byte order mark", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "old.json");
  const key = `0x${"ab".repeat(32)}` as const;
  const text = await encryptWalletKey(key, "correct horse", { n: 1024 });
  await writeFile(path, `\ufeff${text.replace('"crypto"', '"Crypto"')}`, { mode: 0o600 });
  expect(await readWalletKey(path, async () => "correct horse")).toBe(key);
  await rm(folder, { recursive: true });
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

test("an encrypted wallet opens with its passphrase alone; nothing in its file is the key", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "alice.json");
  // With the default `n`, each passphrase takes seconds.
  const wallet = await newWallet(path, "correct horse battery staple", { n: 1024 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const key = await readWalletKey(path, async () => "correct horse battery staple");
  expect(privateKeyToAddress(key)).toBe(wallet.address);
  expect(await readFile(path, "utf8")).not.toContain(key.slice(2));
  const refused = await readWalletKey(path, async () => "another").catch((error: Error) => error.message);
  expect(refused).toContain("not the passphrase");
  expect(refused).not.toContain("another");
  await expect(readWalletKey(path)).rejects.toThrow("HALCYON_WALLET_PASSPHRASE_FILE");
  await rm(folder, { recursive: true });
});

// The scrypt test vector of the Web3 Secret Storage Definition.
test("a keystore that geth wrote is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "geth.json");
  const crypto = {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  };
  const keystore = { crypto, id: "3198bc9c-6672-5ab3-d995-4942343ae5b6", version: 3 };
  await writeFile(path, JSON.stringify(keystore), { mode: 0o600 });
  expect(await readWalletKey(path, async () => "testpassword")).toBe(
    "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d",
  );
  await rm(folder, { recursive: true });
});

test("a passphrase comes from a variable or a file, which no one else may read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "halcyon-wallet-"));
  const path = join(folder, "passphrase");
  await writeFile(path, "of a file \n", { mode: 0o600 });
  expect(await passphraseFrom({ HALCYON_WALLET_PASSPHRASE_FILE: path })).toBe("of a file ");
  expect(await passphraseFrom({ HALCYON_WALLET_PASSPHRASE: "of a variable" })).toBe("of a variable");
  expect(await passphraseFrom({})).toBeUndefined();
  await chmod(path, 0o644);
  await expect(passphraseFrom({ HALCYON_WALLET_PASSPHRASE_FILE: path })).rejects.toThrow("chmod 600");
  await rm(folder, { recursive: true });
});
