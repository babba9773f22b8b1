import { randomInt } from "node:crypto";
import { processConnection } from "@/db/client";

/** First half of the advisory locks of processes ("halc"). The second half is the process's number. */
export const PROCESS_LOCKS = 0x68616c63;

// Next bundles routes separately, so each bundle has its own copy of this module. Keep the one number on globalThis.
const shared = globalThis as typeof globalThis & { halcyonProcess?: Promise<number> };

/**
 * Returns the number by which other processes can check in PostgreSQL that this process is alive. The process holds an
 * advisory lock of that number on a connection of its own. When the process dies, however it dies, PostgreSQL releases
 * the lock at once. If the connection is replaced, the process gets a new number, and attempts under the old one count
 * as abandoned.
 */
export function thisProcess(): Promise<number> {
  shared.halcyonProcess ??= takeNumber();
  return shared.halcyonProcess;
}

async function takeNumber(): Promise<number> {
  const forget = () => {
    shared.halcyonProcess = undefined;
  };
  try {
    const sql = processConnection(forget);
    for (;;) {
      const number = randomInt(1, 2 ** 31);
      const [row] = await sql<{ taken: boolean }[]>`
        select pg_try_advisory_lock(${PROCESS_LOCKS}::int, ${number}::int) as taken`;
      if (row?.taken) return number;
    }
  } catch (error) {
    forget();
    throw error;
  }
}
