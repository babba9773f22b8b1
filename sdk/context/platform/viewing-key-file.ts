import { randomUUID } from "node:crypto";
import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HalcyonError } from "../../api/errors";
import { configDir, type Variables } from "./config-dir";
import { readPrivateFile } from "./read-private-file";

/** Returns the file to which `halcyon viewing-key export` writes by default. */
export function defaultViewingKeyFile(variables: Variables): string {
  return join(configDir(variables), "viewing.key");
}

/**
 * Reads a viewing key from a file.
 *
 * @throws HalcyonError `invalid_request` when it can't be read, or others can read it too
 */
export async function readViewingKeyFile(path: string): Promise<string> {
  return (await readPrivateFile(path, "a viewing key")).trim();
}

/**
 * Writes a viewing key to a file that only its owner can read. An existing file is replaced only with `force`, and then
 * as a whole. Anything that is not a regular file (a device, a pipe, a link) is never replaced.
 *
 * @throws HalcyonError `invalid_request`
 */
export async function writeViewingKeyFile(path: string, viewingKey: string, force = false): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there && !there.isFile()) {
    throw new HalcyonError("invalid_request", `${path} is not a regular file. Name a file for the viewing key.`);
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = `${viewingKey}\n`;
  if (!force) {
    await writeFile(path, text, { mode: 0o600, flag: "wx" }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EEXIST") throw cause;
      throw new HalcyonError(
        "invalid_request",
        `${path} exists already. Name another file, or replace it with --force.`,
      );
    });
    return;
  }
  // Creates a new file and renames it, so that the key gets neither the old file's mode nor to a program that has the
  // old file open.
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
