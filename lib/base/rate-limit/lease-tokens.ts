import { sql } from "@/db/client";
import type { LimitPolicy } from "./policy";

/** A request for tokens of one shared bucket. */
interface TokenRequest {
  bucket: string;
  policy: Pick<LimitPolicy, "quota" | "seconds">;
  want: number;
}

/** What a bucket granted: how many tokens, and in how many seconds it is full again. */
interface TokenLease {
  granted: number;
  fullInSeconds: number;
}

/**
 * Returns the SQL statement for this number of buckets, with four parameters each: name, quota, seconds and the number
 * of tokens wanted.
 */
function statementOf(buckets: number): string {
  const rows = Array.from({ length: buckets }, (_, at) => {
    const [bucket, quota, seconds, want] = [1, 2, 3, 4].map((place) => `$${4 * at + place}`);
    return `(${bucket}::text, ${quota}::int, ${seconds}::float8, ${want}::int)`;
  });
  return `
    with wanted (bucket, quota, seconds, want) as (values ${rows.join(", ")})
    insert into rate_limits as b (bucket, granted, full_at)
    select bucket, least(want, quota),
      statement_timestamp() + make_interval(secs => least(want, quota) * seconds / quota)
    from wanted
    on conflict (bucket) do update set (granted, full_at) = (
      select take, from_now + make_interval(secs => take * w.seconds / w.quota)
      from wanted w, greatest(b.full_at, statement_timestamp()) as from_now,
        lateral (
          select greatest(0, least(w.want, floor(
            (w.seconds - extract(epoch from from_now - statement_timestamp())::float8) * w.quota / w.seconds + 1e-6
          )))::int as take
        ) g
      where w.bucket = b.bucket
    )
    returning bucket, granted, extract(epoch from full_at - statement_timestamp())::float8 as full_in`;
}
const STATEMENTS = { 1: statementOf(1), 2: statementOf(2) } as const;

/**
 * Takes tokens from one or two shared buckets in one statement, by the database's clock. Uses the generic cell rate
 * algorithm (ITU-T I.371), whose only state is the time at which the bucket is full again.
 *
 * @returns what each bucket granted, in the order of the requests
 */
export async function leaseTokens(requests: [TokenRequest] | [TokenRequest, TokenRequest]): Promise<TokenLease[]> {
  // All processes lock rows in the same order, which prevents deadlocks.
  const ordered = [...requests].sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
  const values = ordered.flatMap(({ bucket, policy: { quota, seconds }, want }) => [bucket, quota, seconds, want]);
  const rows = await sql().unsafe<{ bucket: string; granted: number; full_in: number }[]>(
    STATEMENTS[requests.length],
    values,
    { prepare: true },
  );
  return requests.map(({ bucket }) => {
    const row = rows.find((each) => each.bucket === bucket);
    if (!row) throw new Error("a bucket did not respond");
    return { granted: row.granted, fullInSeconds: Math.max(0, row.full_in) };
  });
}
