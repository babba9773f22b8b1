import { lt } from "drizzle-orm";
import { db } from "@/db/client";
import { workerHeartbeats } from "@/db/schema/events";

const FORGOTTEN_MS = 3_600_000;

/** A worker's sign of life; those of workers long gone are dropped. */
export async function beat(workerId: string): Promise<void> {
  const now = new Date();
  await db()
    .insert(workerHeartbeats)
    .values({ workerId, beatAt: now })
    .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { beatAt: now } });
  await db()
    .delete(workerHeartbeats)
    .where(lt(workerHeartbeats.beatAt, new Date(now.getTime() - FORGOTTEN_MS)));
}
