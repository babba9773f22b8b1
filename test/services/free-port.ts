import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { readIfThere } from "@/scripts/stack/files";

/** A file per port that some process was given, with its pid: minutes may pass before a service listens there. */
const CLAIMS = path.join(tmpdir(), `halcyon-ports-${process.getuid?.() ?? 0}`);

/**
 * Returns a free TCP port on this machine, which no other process gets while this one lives. It is below the range for
 * outgoing connections, which could take the port before the service has started, and below the product's own ports.
 *
 * @param following how many of the next ports must be free as well
 */
export async function freePort(following = 0): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 25_000 - following);
    const all = Array.from({ length: following + 1 }, (_, n) => port + n);
    if (!all.every(claim)) continue;
    if ((await Promise.allSettled(all.map(listenOnce))).every(({ status }) => status === "fulfilled")) return port;
  }
}

/** Claims a port for this process. Returns whether it was free or its holder is gone. */
function claim(port: number): boolean {
  mkdirSync(CLAIMS, { recursive: true });
  const file = path.join(CLAIMS, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    if (isAlive(Number(readIfThere(file)))) return false;
    writeFileSync(file, String(process.pid));
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Listens on a port and stops. Fails if the port is in use. */
function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}
