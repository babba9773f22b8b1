import { sql } from "@/db/client";
import type { LimitPolicy } from "./policy";

/** What a bucket gave: how many tokens, and in how many seconds it is full again. */
interface TokenLease {
  granted: number;
  fullInSeconds: number;
}

/**
 * Takes up to `want` tokens out of a shared bucket, in one statement and by the database's clock: the generic cell rate
 * algorithm (ITU-T I.371), whose state is one instant, the time at which the bucket is full again.
 */
export async function leaseTokens(bucket: string, { quota, seconds }: LimitPolicy, want: number): Promise<TokenLease> {
  const interval = seconds / quota;
  const first = Math.min(want, quota);
  const [row] = await sql()<{ granted: number; full_in: number }[]>`
    insert into rate_limits as b (bucket, granted, full_at)
    values (${bucket}, ${first}::int, statement_timestamp() + make_interval(secs => ${first * interval}::float8))
    on conflict (bucket) do update set (granted, full_at) = (
      select take, from_now + make_interval(secs => take * ${interval}::float8)
      from (select greatest(b.full_at, statement_timestamp()) as from_now) t,
        lateral (
          select greatest(0, least(${want}::int, floor(
            (${seconds}::float8 - extract(epoch from from_now - statement_timestamp())::float8) / ${interval}::float8 + 1e-6
          )))::int as take
        ) g
    )
    returning granted, extract(epoch from full_at - statement_timestamp())::float8 as full_in`;
  if (!row) throw new Error("a bucket did not respond");
  return { granted: row.granted, fullInSeconds: Math.max(0, row.full_in) };
}
