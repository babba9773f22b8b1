import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Hex } from "viem";
import { z } from "zod";
import { HalcyonError } from "../api/errors";

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** What the dashboard saves of a backup, as far as opening it needs. */
const BackupFile = z.object({
  format: z.literal("halcyon-backup/1"),
  account: Address,
  ledger: Address,
  sealed: z.string().regex(/^0x([0-9a-f]{2})+$/),
});

/** A backup of a file. */
export interface ReadBackup {
  account: string;
  ledger: string;
  sealed: Hex;
}

/** The text of a file; of `-`, what is typed or piped. */
async function textOf(path: string, what: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  return readFile(path, "utf8").catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read the ${what} ${path}.`);
  });
}

/** A recovery code, never from the command line itself: others on the machine can read that. */
export async function readRecoveryCode(path: string): Promise<string> {
  return (await textOf(path, "recovery code file")).trim();
}

/** A backup as the dashboard saves it. Throws `invalid_request` when it is none. */
export async function readBackup(path: string): Promise<ReadBackup> {
  const content = await textOf(path, "backup file");
  try {
    const { account, ledger, sealed } = BackupFile.parse(JSON.parse(content));
    return { account, ledger, sealed: sealed as Hex };
  } catch (cause) {
    const message = `${path} is not a backup saved by the dashboard (Settings, Security, Download).`;
    throw new HalcyonError("invalid_request", message, { cause });
  }
}
