import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/** Replaces a file atomically: after a crash or on a full disk, it has either the old or the new content. */
export function writeFileDurably(file: string, content: string | Uint8Array, mode = 0o644): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temporary, "w", mode);
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  const folder = openSync(path.dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns the text of a file; undefined without one, also if it is removed at this moment. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes a folder, if it exists, with all it contains. Another process may still write there: it finds the folder gone,
 * and what it had open is removed once more.
 */
export function removeFolder(folder: string): void {
  const gone = `${folder}.${process.pid}.removed`;
  // A process with the same number may have been killed while it removed it.
  rmSync(gone, { recursive: true, force: true });
  try {
    renameSync(folder, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  for (let left = 50; ; left--) {
    try {
      // Its own retries do not look for new files.
      rmSync(gone, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** Creates a folder that only its owner can read, also if an older version left it open to everyone. */
export function privateFolder(folder: string): void {
  // Its parents stay readable, because PostgreSQL may run as another user.
  mkdirSync(path.dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
