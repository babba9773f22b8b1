import { starvedMs } from "@/db/client";
import { connect } from "@/db/connect";
import { env } from "@/lib/env";

/**
 * How long a pool may give no caller a connection before the process counts as stuck rather than busy. No one caller
 * waits that long (db/gate.ts).
 */
const STARVED_MS = 30_000;
const PROBE_SECONDS = 2;
/** How long a probe's result is reused. */
const KEEP_MS = 5_000;

let probe: { at: number; of: string; responds: Promise<boolean> } | undefined;

/**
 * Reports whether the process is alive; false means that a restart would help. That is the case if callers of one of
 * its pools have got no connection for half a minute although PostgreSQL accepts new connections: the pool is stuck. If
 * PostgreSQL itself is down, the process is alive, because it will recover by itself.
 *
 * @param starved returns for how long the callers of a pool have got no connection, in milliseconds
 */
export async function isAlive(starved: () => number = starvedMs, databaseUrl = env().databaseUrl): Promise<boolean> {
  if (starved() < STARVED_MS) return true;
  const now = performance.now();
  if (probe?.of !== databaseUrl || now - probe.at > KEEP_MS) {
    probe = { at: now, of: databaseUrl, responds: responds(databaseUrl) };
  }
  return !(await probe.responds) || starved() < STARVED_MS;
}

/** Reports whether PostgreSQL serves a new connection. */
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
