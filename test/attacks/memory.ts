import { open, readFile } from "node:fs/promises";

const CHUNK = 4 * 1024 * 1024;

/**
 * Returns which of the texts or bytes are in the memory of a process of this user: what someone who has taken it over
 * can read. Linux only.
 */
export async function inMemory(pid: number, needles: Record<string, string | Uint8Array>): Promise<string[]> {
  const wanted = Object.entries(needles).flatMap(([name, needle]) =>
    typeof needle === "string"
      ? [
          { name, bytes: Buffer.from(needle, "latin1") },
          { name, bytes: Buffer.from(needle, "utf16le") },
        ]
      : [{ name, bytes: Buffer.from(needle) }],
  );
  const overlap = Math.max(...wanted.map(({ bytes }) => bytes.length)) - 1;
  const found = new Set<string>();
  const memory = await open(`/proc/${pid}/mem`, "r");
  try {
    for (const line of (await readFile(`/proc/${pid}/maps`, "utf8")).split("\n")) {
      const [, from = "", to = ""] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (!from) continue;
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += CHUNK - overlap) {
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - at));
        const read = await memory.read(buffer, 0, buffer.length, at).catch(() => null);
        // A region may be gone, or reserved and never used.
        if (!read) break;
        const part = buffer.subarray(0, read.bytesRead);
        for (const { name, bytes } of wanted) if (!found.has(name) && part.includes(bytes)) found.add(name);
      }
    }
  } finally {
    await memory.close();
  }
  return [...found].sort();
}
