import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { HalcyonError } from "../api/errors";
import type { Variables } from "../context/platform/config-dir";
import { type AskPassphrase, noPassphrase, passphraseFrom } from "../context/platform/wallet-passphrase";

const SHORTEST = 8;

const isTerminal = () => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** Asks a person a question without echoing what they type. */
async function ask(question: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once("close", () => reject(new HalcyonError("invalid_request", "No passphrase was given.")));
      terminal.question("").then(resolve, reject);
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Returns the passphrase of an encrypted wallet from the environment, or else asks for it at the terminal. */
export function askPassphrase(variables: Variables): AskPassphrase {
  return async (file) => {
    const given = await passphraseFrom(variables);
    if (given !== undefined) return given;
    if (isTerminal()) return ask(`Passphrase of ${file}: `);
    throw noPassphrase(file);
  };
}

/**
 * Returns the passphrase of a new wallet from the environment, or else asks for it twice.
 *
 * @throws HalcyonError `invalid_request` when there is none, when the two differ, or when it is too short
 */
export async function newPassphrase(variables: Variables): Promise<string> {
  const passphrase = (await passphraseFrom(variables)) ?? (await askTwice());
  if (passphrase.length >= SHORTEST) return passphrase;
  throw new HalcyonError("invalid_request", `A passphrase needs at least ${SHORTEST} characters.`);
}

async function askTwice(): Promise<string> {
  if (!isTerminal()) {
    throw new HalcyonError(
      "invalid_request",
      "No one can type the passphrase here. Set HALCYON_WALLET_PASSPHRASE_FILE to a file that holds it, or HALCYON_WALLET_PASSPHRASE.",
    );
  }
  const passphrase = await ask("Passphrase of the new wallet: ");
  if ((await ask("The same again: ")) === passphrase) return passphrase;
  throw new HalcyonError("invalid_request", "The two passphrases differ. No wallet was made.");
}
