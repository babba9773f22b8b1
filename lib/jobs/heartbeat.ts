import { randomUUID } from "node:crypto";
import { db } from "@/db/client";
import { workerHeartbeats } from "@/db/schema/events";

/** A worker's sign of life, in the database and for its own probes. */
export class Heartbeat {
  private readonly workerId = randomUUID();
  private recordedAt?: number;
  private movedAt?: number;

  /** Records that the worker is alive. */
  async beat(): Promise<void> {
    this.movedAt = performance.now();
    try {
      const now = new Date();
      await db()
        .insert(workerHeartbeats)
        .values({ workerId: this.workerId, beatAt: now })
        .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { beatAt: now } });
      this.recordedAt = performance.now();
    } finally {
      this.movedAt = performance.now();
    }
  }

  /** Returns how many seconds ago the last one was recorded; undefined before the first. */
  age(): number | undefined {
    return this.recordedAt === undefined ? undefined : (performance.now() - this.recordedAt) / 1000;
  }

  /** Returns for how many milliseconds none has begun or ended, also with an error; 0 before the first. */
  stuckMs(): number {
    return this.movedAt === undefined ? 0 : performance.now() - this.movedAt;
  }
}
