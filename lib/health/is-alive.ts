import { starvedMs } from "@/db/client";
import { connect } from "@/db/connect";
import { env } from "@/lib/env";

/** For how long a process may wait for a connection before it counts as stuck instead of busy. */
const STARVED_MS = 30_000;
const PROBE_SECONDS = 2;
/** How long a probe's result is reused. */
const KEEP_MS = 5_000;

let probe: { at: number; of: string; responds: Promise<boolean> } | undefined;

/**
 * Whether starting this process again would not help. It would when no one in it has been given a database connection
 * for half a minute although PostgreSQL gives them to others: its pool is stuck. That PostgreSQL is away is no reason
 * to end a process; it continues by itself.
 *
 * @param starved for how long no one has got a connection, in milliseconds
 */
export async function isAlive(starved: () => number = starvedMs, databaseUrl = env().databaseUrl): Promise<boolean> {
  if (starved() < STARVED_MS) return true;
  const now = performance.now();
  if (probe?.of !== databaseUrl || now - probe.at > KEEP_MS) {
    probe = { at: now, of: databaseUrl, responds: responds(databaseUrl) };
  }
  return !(await probe.responds) || starved() < STARVED_MS;
}

/** Whether PostgreSQL serves a new connection. */
async function responds(databaseUrl: string): Promise<boolean> {
  const sql = connect(databaseUrl, { max: 1, connect_timeout: PROBE_SECONDS });
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 2 * PROBE_SECONDS * 1000).unref());
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  const result = await Promise.race([asked, late]);
  sql.end({ timeout: 0 }).catch(() => {});
  return result;
}
