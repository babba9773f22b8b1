import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { HalcyonError } from "../api/errors";
import { configDir } from "./config-dir";

import { readPrivateFile } from "./read-private-file";
import { decryptWalletKey, encryptWalletKey, isKeystore, type KeystoreCost } from "./wallet-keystore";
import { type AskPassphrase, passphraseOfEnvironment } from "./wallet-passphrase";

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
 * The wallet key of a file: plain, or an encrypted keystore (version 3, as geth and `cast wallet` write it).
 *
 * @param ask gives the passphrase of an encrypted one; the environment's when left out
 * @throws HalcyonError `invalid_request` when it cannot be read, holds none, others can read it too, or the passphrase is
 * another
 */
export async function readWalletKey(path: string, ask: AskPassphrase = passphraseOfEnvironment): Promise<Hex> {
  const text = await readPrivateFile(path, "a wallet key");
  return isKeystore(text) ? decryptWalletKey(text, await ask(path), path) : parseWalletKey(text, path);
}

/**
 * Makes a wallet and writes its key to a file only its owner can read; never over an existing one. The key is not
 * shown anywhere.
 *
 * @param path where to; `defaultWalletFile` when left out
 * @param passphrase encrypts the file; left out, the key stands in it as it is
 */
export async function newWallet(
  path?: string,
  passphrase?: string,
  cost?: KeystoreCost,
): Promise<{ address: Address; wallet_key_file: string }> {
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
  const file = path ?? defaultWalletFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = passphrase === undefined ? `${key}\n` : await encryptWalletKey(key, passphrase, cost);
  await writeFile(file, text, { mode: 0o600, flag: "wx" }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    throw new HalcyonError(
      "invalid_request",
      `${file} exists already. A wallet is never overwritten: name another file.`,
    );
  });
  return { address, wallet_key_file: file };
}
