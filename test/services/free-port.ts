import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A TCP port on this machine that no one listens on. Below those that systems give to outgoing connections: one of these
 * would soon be taken again, before the service it is for has started. Below the product's own, too.
 *
 * @param following how many of the ports right after it must be free as well
 */
export async function freePort(following = 0): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 25_000 - following);
    const all = Array.from({ length: following + 1 }, (_, n) => listenOnce(port + n));
    if ((await Promise.allSettled(all)).every(({ status }) => status === "fulfilled")) return port;
  }
}

/** Listens on a port and stops; fails where someone else does. */
function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}
