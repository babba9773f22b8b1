import { randomInt } from "node:crypto";
import { lifeline } from "@/db/client";

/** First half of the advisory locks of processes ("halc"); the second is the process's number. */
export const PROCESS_LOCKS = 0x68616c63;

// Next bundles routes separately: one number per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonProcess?: Promise<number> };

/**
 * The number under which PostgreSQL knows this process to be alive. It holds an advisory lock of that number on a
 * connection of its own: when the process dies, in whatever way, PostgreSQL gives the lock back at once. With a new
 * connection comes a new number; what was begun under the one before counts as given up.
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
    const sql = lifeline(forget);
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
