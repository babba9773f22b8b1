import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

/** Number of requests with one key on one UTC day, `YYYY-MM-DD`. */
interface UsageDay {
  day: string;
  requests: number;
}

/**
 * Returns how many requests were made with a key of the account or of one of its agents on each of the last `days` UTC
 * days, including today, oldest first. Up to a minute behind. Also works for revoked keys.
 *
 * @throws ApiError `not_found` if the id is unknown, another account's, or of the other network
 */
export async function keyUsage({ account, chainId }: SessionContext, id: string, days: number): Promise<UsageDay[]> {
  const agentId = account.type === "agent" ? account.id : null;
  const rows = await sql()<UsageDay[]>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(u.requests, 0) as requests
    from api_keys k
    cross join generate_series((now() at time zone 'UTC')::date - ${days - 1}::int, (now() at time zone 'UTC')::date,
      interval '1 day') d(day)
    left join api_key_usage u on u.key_id = k.id and u.day = d.day::date
    where k.id = ${id} and k.account_id = ${account.rootId} and k.chain_id = ${chainId}
      and (${agentId}::text is null or k.agent_id = ${agentId})
    order by d.day`;
  if (rows.length === 0) throw new ApiError("not_found", "You have no API key with this id on this network.");
  return rows.map(({ day, requests }) => ({ day, requests }));
}
