import { stuckMs } from "@/db/client";
import { connect } from "@/db/connect";
import { env } from "@/lib/base/env";

/**
 * For how long something has to be stuck before the process counts as stuck rather than busy. No caller of a pool waits
 * that long (db/gate.ts, db/connect.ts), nor does a step of the worker's heartbeat.
 */
const STUCK_MS = 30_000;
const PROBE_SECONDS = 2;
/** How long a probe's result is reused. */
const KEEP_MS = 5_000;

let probe: { at: number; of: string; responds: Promise<boolean> } | undefined;

/**
 * Reports whether the process is alive; false means that a restart would help. That is the case if one of its pools has
 * been of no use for half a minute although PostgreSQL accepts new connections. If PostgreSQL itself is down, the process
 * is alive, because it will recover by itself.
 *
 * @param stuck returns for how many milliseconds what the process works with has been stuck
 */
export async function isAlive(
  stuck: () => Promise<number> = stuckMs,
  databaseUrl = env().databaseUrl,
): Promise<boolean> {
  if ((await stuck()) < STUCK_MS) return true;
  const now = performance.now();
  if (probe?.of !== databaseUrl || now - probe.at > KEEP_MS) {
    probe = { at: now, of: databaseUrl, responds: responds(databaseUrl) };
  }
  return !(await probe.responds) || (await stuck()) < STUCK_MS;
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
