import { createServer } from "node:net";

/**
 * A TCP port on this machine that no one listens on.
 *
 * @param following how many of the ports right after it must be free as well
 */
export async function freePort(following = 0): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    const others = Array.from({ length: following }, (_, n) => listenOnce(port + 1 + n));
    if ((await Promise.allSettled(others)).every(({ status }) => status === "fulfilled")) return port;
  }
}

/** Listens on a port, 0 for any that is free, and stops; fails where someone else does. */
function listenOnce(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
