import { sql } from "@/db/client";
import { log } from "@/lib/base/telemetry/log";
import { type PendingUse, pendingUse } from "./pending-use";

/**
 * Writes the counts collected so far, after any write already in progress. Also called when the process stops. A failed
 * write is tried again later.
 */
export function flushKeyUse(): Promise<void> {
  const state = pendingUse();
  state.writing = (state.writing ?? Promise.resolve()).then(flush);
  return state.writing;
}

async function flush(): Promise<void> {
  const state = pendingUse();
  const batch = [...state.pending.values()];
  state.pending.clear();
  if (batch.length === 0) return;
  try {
    await write(batch);
  } catch (error) {
    log().warn({ err: error }, "request counts of keys could not be written; trying again");
    for (const use of batch) putBack(state.pending, use);
  }
}

async function write(batch: PendingUse[]): Promise<void> {
  // All processes write rows in the same order, which prevents deadlocks.
  const rows = batch.toSorted((a, b) => (a.keyId + a.day < b.keyId + b.day ? -1 : 1));
  await sql().begin(async (tx) => {
    for (const { keyId, day, requests, lastUsedAt } of rows) {
      // A key that no longer exists, for example after a restore, must not keep the other counts from being written.
      await tx`
        with used as (
          update api_keys set last_used_at = greatest(last_used_at, ${lastUsedAt.toISOString()})
          where id = ${keyId} returning id)
        insert into api_key_usage (key_id, day, requests) select id, ${day}::date, ${requests}::int from used
        on conflict (key_id, day) do update set requests = api_key_usage.requests + excluded.requests`;
    }
  });
}

function putBack(pending: Map<string, PendingUse>, use: PendingUse): void {
  const name = `${use.keyId}/${use.day}`;
  const newer = pending.get(name);
  if (newer) newer.requests += use.requests;
  else pending.set(name, use);
}
