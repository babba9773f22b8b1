import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { HalcyonError } from "../../api/errors";

/** The cost of deriving the key from the passphrase; tests use less. */
export interface KeystoreCost {
  /** The scrypt parameter N: doubling it doubles time and memory. */
  n?: number;
}

/** Reports whether the text of a wallet file is a keystore, not a plain key. */
export const isKeystore = (text: string): boolean => text.trimStart().startsWith("{");

/**
 * Encrypts a wallet key under a passphrase (scrypt, AES-128-CTR). Returns the text of a wallet file. Takes some
 * seconds.
 */
export async function encryptWalletKey(key: Hex, passphrase: string, { n }: KeystoreCost = {}): Promise<string> {
  // Loaded on demand: most users of the client never need it.
  const keystore = await import("ox/Keystore");
  const [derived, options] = keystore.scrypt({ password: passphrase, ...(n === undefined ? {} : { n }) });
  const address = privateKeyToAddress(key).slice(2).toLowerCase();
  return `${JSON.stringify({ address, ...keystore.encrypt(key, derived, options) }, null, 2)}\n`;
}

/**
 * Decrypts the wallet key in an encrypted file. Takes some seconds.
 *
 * @throws HalcyonError `invalid_request` when the passphrase is wrong, or the text is not a keystore
 */
export async function decryptWalletKey(text: string, passphrase: string, origin: string): Promise<Hex> {
  const keystore = await import("ox/Keystore");
  const parsed = parseKeystore(text);
  if (!parsed) {
    throw new HalcyonError("invalid_request", `${origin} is neither a wallet key nor a keystore of version 3.`);
  }
  try {
    // Not the library's asynchronous version: it supports only its own scrypt parameters.
    return keystore.decrypt(parsed, keystore.toKey(parsed, { password: passphrase }));
  } catch {
    throw new HalcyonError("invalid_request", `That is not the passphrase of ${origin}, or the file is damaged.`);
  }
}

function parseKeystore(text: string): Parameters<typeof import("ox/Keystore")["decrypt"]>[0] | undefined {
  try {
    // Old wallets write "Crypto".
    const { Crypto, crypto = Crypto, ...parsed } = JSON.parse(text);
    return parsed.version === 3 && typeof crypto === "object" ? { ...parsed, crypto } : undefined;
  } catch {
    return undefined;
  }
}
