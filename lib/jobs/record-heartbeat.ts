import { db } from "@/db/client";
import { workerHeartbeats } from "@/db/schema/events";

/** Records that a worker is alive. */
export async function recordHeartbeat(workerId: string): Promise<void> {
  const now = new Date();
  await db()
    .insert(workerHeartbeats)
    .values({ workerId, beatAt: now })
    .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { beatAt: now } });
}
