import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** Replaces a file so that after a crash either the old or the new content is there, never a part. */
export function writeFileDurably(file: string, content: string | Uint8Array, mode = 0o644): void {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = openSync(temporary, "w", mode);
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  const folder = openSync(path.dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
