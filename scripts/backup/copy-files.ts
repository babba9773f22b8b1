import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/** A file of a backup. The hash reveals any later change, by a disk or a person. */
export interface CopiedFile {
  path: string;
  sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Returns every file below a folder as a path relative to it, except those for which `skip` is true. Calls `onFolder`
 * for each folder.
 */
export function filesBelow(
  root: string,
  skip: (relative: string) => boolean = () => false,
  onFolder: (relative: string) => void = () => {},
): string[] {
  const found: string[] = [];
  const look = (folder: string) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const relative = path.posix.join(folder, entry.name);
      if (skip(relative)) continue;
      if (entry.isDirectory()) {
        onFolder(relative);
        look(relative);
      } else if (entry.isFile()) found.push(relative);
    }
  };
  look("");
  return found;
}

/**
 * Copies a file to disk and hashes what it copied.
 *
 * @returns undefined if the file no longer exists, because PostgreSQL removes some while it runs
 */
export function copyFile(from: string, to: string): string | undefined {
  if (!existsSync(from)) return undefined;
  const source = openSync(from, "r");
  const target = openSync(to, "w", 0o600);
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
      hash.update(buffer.subarray(0, read));
      for (let at = 0; at < read; ) at += writeSync(target, buffer, at, read - at);
    }
    fsyncSync(target);
    return hash.digest("hex");
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Creates a folder that only its owner can access, which PostgreSQL requires. */
export function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
