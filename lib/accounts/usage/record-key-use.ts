import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { pendingUse } from "./pending-use";

const FLUSH_MS = 20_000;

/** Counts one authenticated request of a key in memory. Counts are stored within a minute, outside of requests. */
export function recordKeyUse(keyId: string, now: Date): void {
  const state = pendingUse();
  const day = now.toISOString().slice(0, 10);
  const entry = state.pending.get(`${keyId}/${day}`);
  if (entry) {
    entry.requests++;
    entry.lastUsedAt = now;
  } else state.pending.set(`${keyId}/${day}`, { keyId, day, requests: 1, lastUsedAt: now });
  if (!state.timer) {
    // One timer per process, and only while there is something to write.
    state.timer = setTimeout(() => {
      state.timer = undefined;
      void flushKeyUse();
    }, FLUSH_MS);
    state.timer.unref();
  }
}
