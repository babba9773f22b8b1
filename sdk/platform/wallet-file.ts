import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { HalcyonError } from "../api/errors";
import { configDir } from "./config-dir";

/** What a file's mode may not allow anybody but its owner. */
const OTHERS = 0o077;
const KEY = /^(0x)?[0-9a-fA-F]{64}$/;

/** A wallet key as given: 64 hex digits, with or without 0x. Throws `invalid_request` without repeating it. */
export function parseWalletKey(text: string, origin: string): Hex {
  const key = text.trim();
  if (KEY.test(key)) return (key.startsWith("0x") ? key : `0x${key}`) as Hex;
  throw new HalcyonError("invalid_request", `${origin} does not hold a wallet key: 0x and 64 hex digits.`);
}

/** Where `halcyon wallet new` puts the wallet of this machine when no file is named. */
export function defaultWalletFile(): string {
  return join(configDir(), "wallet.key");
}

/**
 * The wallet key of a file.
 *
 * @throws HalcyonError `invalid_request` when it cannot be read, holds none, or others can read it too
 */
export async function readWalletKey(path: string): Promise<Hex> {
  const file = await open(path, "r").catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read the wallet key file ${path}.`);
  });
  try {
    const { mode } = await file.stat();
    // Windows has no such bits.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
      throw new HalcyonError(
        "invalid_request",
        `${path} holds a wallet key and others can read it. Run "chmod 600 ${path}". If someone may have read it, move the money to a new wallet.`,
      );
    }
    return parseWalletKey(await file.readFile("utf8"), path);
  } finally {
    await file.close();
  }
}

/**
 * Makes a wallet and writes its key to a file only its owner can read; never over an existing one. The key is not
 * shown anywhere.
 *
 * @param path where to; `defaultWalletFile` when left out
 */
export async function newWallet(path?: string): Promise<{ address: Address; wallet_key_file: string }> {
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
  const file = path ?? defaultWalletFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: "wx" }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    throw new HalcyonError(
      "invalid_request",
      `${file} exists already. A wallet is never overwritten: name another file.`,
    );
  });
  return { address, wallet_key_file: file };
}
