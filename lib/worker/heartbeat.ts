import { randomUUID } from "node:crypto";
import { db } from "@/db/client";
import { workerHeartbeats } from "@/db/schema/events";

/** A worker's sign of life, in the database and for its own probes. */
export class Heartbeat {
  private recordedAt?: number;
  private movedAt?: number;

  /** @param record stores when the worker was alive; by default under an id of its own in the database */
  constructor(private readonly record = recorder()) {}

  /** Records that the worker is alive. */
  async beat(): Promise<void> {
    this.movedAt = performance.now();
    try {
      await this.record(new Date());
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

function recorder(): (beatAt: Date) => Promise<void> {
  const workerId = randomUUID();
  return async (beatAt) => {
    await db()
      .insert(workerHeartbeats)
      .values({ workerId, beatAt })
      .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: { beatAt } });
  };
}
