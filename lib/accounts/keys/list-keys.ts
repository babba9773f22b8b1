import { sql } from "@/db/client";
import type { ApiKeyRecord } from "@/lib/accounts/keys/api-key";
import type { SessionContext } from "@/lib/base/context/context";

interface Row {
  id: string;
  agent_handle: string | null;
  blind: boolean;
  label: string;
  prefix: string;
  last_four: string;
  scopes: ApiKeyRecord["scopes"];
  allowed_ips: string[] | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  requests: number;
}

/** The most revoked or expired keys listed. Earlier ones are in the audit log. */
const MOST_ENDED = 1_000;

/**
 * Returns the keys of the account and its agents on the network, newest first: all valid ones, and the newest of those
 * that were revoked or have expired. If the context acts for an agent, only that agent's keys. Access tokens of
 * connections are left out.
 */
export async function listKeys({ account, chainId }: SessionContext): Promise<ApiKeyRecord[]> {
  const own = sql()`
    account_id = ${account.rootId} and chain_id = ${chainId} and audience is null
    ${account.type === "agent" ? sql()`and agent_id = ${account.id}` : sql()``}`;
  // Each part has its index, so that any number of ended keys may exist.
  const rows = await sql()<Row[]>`
    select k.id, a.handle as agent_handle, k.request_key is not null as blind, k.label, k.prefix, k.last_four, k.scopes, k.allowed_ips, k.created_at, k.expires_at, k.revoked_at,
      k.last_used_at,
      coalesce((select sum(u.requests) from api_key_usage u where u.key_id = k.id), 0)::float8 as requests
    from (
      select * from api_keys where ${own} and revoked_at is null and expires_at is null
      union all
      select * from api_keys where ${own} and revoked_at is null and expires_at > now()
      union all
      (select * from api_keys where ${own} and (revoked_at is not null or expires_at <= now())
        order by created_at desc limit ${MOST_ENDED})
    ) k left join accounts a on a.id = k.agent_id
    order by k.created_at desc, k.id desc`;
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    id: row.id,
    agentHandle: row.agent_handle,
    kind: row.blind ? "blind" : "plain",
    label: row.label,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    createdAt: new Date(row.created_at),
    expiresAt: date(row.expires_at),
    revokedAt: date(row.revoked_at),
    lastUsedAt: date(row.last_used_at),
    requests: row.requests,
  }));
}
