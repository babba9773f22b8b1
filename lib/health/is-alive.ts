import postgres from "postgres";
import { starvedMs } from "@/db/client";
import { env } from "@/lib/env";

/** For how long a process may want a connection in vain before it is told apart from a busy one. */
const STARVED_MS = 30_000;
const PROBE_SECONDS = 2;
/** A probe's answer serves everybody who asks meanwhile. */
const KEEP_MS = 5_000;

let probe: { at: number; of: string; answers: Promise<boolean> } | undefined;

/**
 * Whether starting this process anew would not help. It would when nobody in it has been given a database connection
 * for half a minute although PostgreSQL gives them to others: its pool is stuck. That PostgreSQL is away is no reason
 * to end a process; it goes on by itself.
 *
 * @param starved for how long nobody has got a connection, in milliseconds
 */
export async function isAlive(starved: () => number = starvedMs, databaseUrl = env().databaseUrl): Promise<boolean> {
  if (starved() < STARVED_MS) return true;
  const now = performance.now();
  if (probe?.of !== databaseUrl || now - probe.at > KEEP_MS) {
    probe = { at: now, of: databaseUrl, answers: answers(databaseUrl) };
  }
  return !(await probe.answers) || starved() < STARVED_MS;
}

/** Whether PostgreSQL serves a new connection. */
async function answers(databaseUrl: string): Promise<boolean> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: PROBE_SECONDS, onnotice: () => {} });
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 2 * PROBE_SECONDS * 1000).unref());
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  const result = await Promise.race([asked, late]);
  sql.end({ timeout: 0 }).catch(() => {});
  return result;
}
