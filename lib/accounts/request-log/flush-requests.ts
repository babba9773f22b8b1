import { sql } from "@/db/client";
import { log } from "@/lib/base/telemetry/log";
import { type LoggedRequest, unwrittenRequests } from "./unwritten-requests";

/**
 * Stores the requests noted so far, after any write already in progress. Also called when the process stops. A failed
 * write is not tried again: the log is for reading, and must not grow while the database is away.
 */
export function flushRequests(): Promise<void> {
  const state = unwrittenRequests();
  state.writing = (state.writing ?? Promise.resolve()).then(flush);
  return state.writing;
}

async function flush(): Promise<void> {
  const state = unwrittenRequests();
  const batch = state.list;
  state.list = [];
  if (batch.length === 0) return;
  try {
    await write(batch);
  } catch (error) {
    log().warn({ err: error, requests: batch.length }, "the log of requests could not be written");
  }
}

/** One statement, whatever their number. */
async function write(batch: readonly LoggedRequest[]): Promise<void> {
  const texts = (of: (request: LoggedRequest) => string | null) => batch.map(of);
  // As texts: the driver writes arrays of numbers without their braces.
  const numbers = (of: (request: LoggedRequest) => number) => batch.map((request) => String(of(request)));
  await sql()`
    insert into api_requests (id, root_id, chain_id, key_id, method, route, status, error_code, duration_ms)
    select * from unnest(
      ${texts(({ id }) => id)}::text[], ${texts(({ rootId }) => rootId)}::text[],
      ${numbers(({ chainId }) => chainId)}::text[]::int[], ${texts(({ keyId }) => keyId)}::text[],
      ${texts(({ method }) => method)}::text[], ${texts(({ route }) => route)}::text[],
      ${numbers(({ status }) => status)}::text[]::int[], ${texts(({ errorCode }) => errorCode)}::text[],
      ${numbers(({ durationMs }) => durationMs)}::text[]::int[])
    on conflict do nothing`;
}
