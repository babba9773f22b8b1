import { HalcyonError } from "../../api/errors";
import type { Variables } from "./config-dir";
import { readPrivateFile } from "./read-private-file";

/** Returns the passphrase of an encrypted wallet file. */
export type AskPassphrase = (file: string) => Promise<string>;

/**
 * Returns the passphrase from the environment: HALCYON_WALLET_PASSPHRASE, or the contents of the file that
 * HALCYON_WALLET_PASSPHRASE_FILE names, which no one else may be able to read. Undefined when neither is set.
 */
export async function passphraseFrom(variables: Variables): Promise<string | undefined> {
  const { HALCYON_WALLET_PASSPHRASE: passphrase, HALCYON_WALLET_PASSPHRASE_FILE: file } = variables;
  if (passphrase) return passphrase;
  if (!file) return undefined;
  return (await readPrivateFile(file, "a wallet's passphrase")).replace(/\r?\n$/, "");
}

/** Reads the passphrase from the environment, for programs that have no one to ask. */
export const passphraseOfEnvironment: AskPassphrase = async (file) => {
  const passphrase = await passphraseFrom(process.env);
  if (passphrase !== undefined) return passphrase;
  throw noPassphrase(file);
};

/** Returns the error of an encrypted file without a passphrase. */
export const noPassphrase = (file: string) =>
  new HalcyonError(
    "invalid_request",
    `${file} is encrypted. Set HALCYON_WALLET_PASSPHRASE_FILE to a file with its passphrase, or HALCYON_WALLET_PASSPHRASE.`,
  );
