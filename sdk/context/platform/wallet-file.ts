import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { HalcyonError } from "../../api/errors";
import { configDir, type Variables } from "./config-dir";
import { readPrivateFile } from "./read-private-file";
import { decryptWalletKey, encryptWalletKey, isKeystore, type KeystoreCost } from "./wallet-keystore";
import { type AskPassphrase, passphraseOfEnvironment } from "./wallet-passphrase";

/** The order of secp256k1 (SEC 2, 2.4.1): a key is a number from 1 to one below it. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY = /^(0x)?[0-9a-fA-F]{64}$/;

/**
 * Parses a wallet key: 64 hex digits, with or without 0x.
 *
 * @throws HalcyonError `invalid_request`, without repeating the text
 */
export function parseWalletKey(text: string, origin: string): Hex {
  const key = text.trim();
  const hex = key.startsWith("0x") ? key : `0x${key}`;
  // The library's own message for another number repeats it.
  if (KEY.test(key) && BigInt(hex) > 0n && BigInt(hex) < CURVE_ORDER) return hex as Hex;
  throw new HalcyonError("invalid_request", `${origin} does not hold a wallet key: 0x and 64 hex digits.`);
}

/** Returns the file to which `halcyon wallet new` writes this machine's wallet by default. */
export function defaultWalletFile(variables: Variables): string {
  return join(configDir(variables), "wallet.key");
}

/**
 * Reads a wallet key from a file: plain, or an encrypted keystore (version 3, as written by geth and `cast wallet`).
 *
 * @param ask returns the passphrase of an encrypted file; by default from the environment
 * @throws HalcyonError `invalid_request` when the file can't be read, holds no wallet key or can be read by others, or
 * when the passphrase is wrong
 */
export async function readWalletKey(path: string, ask: AskPassphrase = passphraseOfEnvironment): Promise<Hex> {
  const text = await readPrivateFile(path, "a wallet key");
  return isKeystore(text) ? decryptWalletKey(text, await ask(path), path) : parseWalletKey(text, path);
}

/**
 * Creates a wallet and writes its key to a file that only its owner can read. Never overwrites a file, and never prints
 * the key.
 *
 * @param file the file to write
 * @param passphrase encrypts the file; without it, the key is stored in plain text
 */
export async function newWallet(
  file: string,
  passphrase?: string,
  cost?: KeystoreCost,
): Promise<{ address: Address; wallet_key_file: string }> {
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
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
