import type { PendingQuery, Row } from "postgres";
import { relaxedSql } from "@/db/client";
import { idAt } from "@/lib/base/ids";
import { REQUEST_LOG_DAYS, REQUEST_LOG_ROWS } from "@/lib/base/request-log-limits";

const DAY_MS = 86_400_000;
const BATCH = 5_000;

/**
 * Deletes logged requests of earlier days, and of each account on a network all but the newest. In batches found by an
 * index, so that no statement holds many rows.
 *
 * @param most how many of an account stay
 */
export async function removeOldRequests(now = new Date(), most = REQUEST_LOG_ROWS): Promise<void> {
  const sql = relaxedSql();
  await removeAll(sql`id < ${idAt("request", now.getTime() - REQUEST_LOG_DAYS * DAY_MS)}`);
  for (const { rootId, chainId, id } of await tooLong(most)) {
    await removeAll(sql`root_id = ${rootId} and chain_id = ${chainId} and id <= ${id}`);
  }
}

async function removeAll(which: PendingQuery<Row[]>): Promise<void> {
  const sql = relaxedSql();
  let removed: number;
  do {
    const { count } = await sql`
      delete from api_requests where id in (
        select id from api_requests where ${which} order by id limit ${BATCH}
      )`;
    removed = count;
  } while (removed === BATCH);
}

/** Returns the logs with more than `most` requests, and the newest request of each that goes. */
function tooLong(most: number) {
  // Goes from log to log by the index, instead of reading all requests to find them.
  return relaxedSql()<{ rootId: string; chainId: number; id: string }[]>`
    with recursive logs as (
      (select root_id, chain_id from api_requests order by root_id, chain_id limit 1)
      union all
      select following.* from logs cross join lateral (
        select root_id, chain_id from api_requests
        where (root_id, chain_id) > (logs.root_id, logs.chain_id)
        order by root_id, chain_id limit 1
      ) as following
    )
    select logs.root_id as "rootId", logs.chain_id as "chainId", dropped.id
    from logs cross join lateral (
      select id from api_requests
      where root_id = logs.root_id and chain_id = logs.chain_id
      order by id desc offset ${most} limit 1
    ) as dropped`;
}
