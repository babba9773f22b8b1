import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { configDir } from "./config-dir";
import { HalcyonError } from "./errors";

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

/** The wallet key of a file. */
export async function readWalletKey(path: string): Promise<Hex> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read the wallet key file ${path}.`);
  });
  return parseWalletKey(text, path);
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
