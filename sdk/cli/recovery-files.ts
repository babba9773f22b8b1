import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Hex } from "viem";
import { z } from "zod";
import { HalcyonError } from "../api/errors";
import { fileJson } from "../api/file-text";

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** The fields of a backup file from the dashboard that are needed to decrypt it. */
const BackupFile = z.object({
  format: z.literal("halcyon-backup/1"),
  account: Address,
  ledger: Address,
  encrypted: z.string().regex(/^0x([0-9a-f]{2})+$/),
});

/** A backup read from a file. */
export interface ReadBackup {
  account: string;
  ledger: string;
  encrypted: Hex;
}

/** Reads a file, or standard input for `-`. */
async function textOf(path: string, what: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  return readFile(path, "utf8").catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read the ${what} ${path}.`);
  });
}

/** Reads a recovery code from a file, not from an argument, which others on the machine could see. */
export async function readRecoveryCode(path: string): Promise<string> {
  return (await textOf(path, "recovery code file")).trim();
}

/**
 * Reads a backup that was saved by the dashboard.
 *
 * @throws HalcyonError `invalid_request` when it isn't one
 */
export async function readBackup(path: string): Promise<ReadBackup> {
  const content = await textOf(path, "backup file");
  try {
    const { account, ledger, encrypted } = BackupFile.parse(fileJson(content));
    return { account, ledger, encrypted: encrypted as Hex };
  } catch (cause) {
    const message = `${path} is not a backup saved by the dashboard (Settings, Security, Download).`;
    throw new HalcyonError("invalid_request", message, { cause });
  }
}
