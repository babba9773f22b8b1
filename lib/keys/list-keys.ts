import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/context/context";
import type { ApiKeyRecord } from "@/lib/keys/api-key";

interface Row {
  id: string;
  agent_handle: string | null;
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

/** How many ended keys are listed; the audit log has the earlier ones. */
const MOST_ENDED = 1_000;

/**
 * The keys of the account and of its agents on the network, newest first: all live ones, and the newest of those that
 * were revoked or have expired. In a context that acts
 * for an agent: that agent's alone. Access tokens of connections are not among them.
 */
export async function listKeys({ account, chainId }: SessionContext): Promise<ApiKeyRecord[]> {
  const agentId = account.type === "agent" ? account.id : null;
  const rows = await sql()<Row[]>`
    select k.id, a.handle as agent_handle, k.label, k.prefix, k.last_four, k.scopes, k.allowed_ips, k.created_at, k.expires_at, k.revoked_at,
      k.last_used_at,
      coalesce((select sum(u.requests) from api_key_usage u where u.key_id = k.id), 0)::float8 as requests
    from api_keys k left join accounts a on a.id = k.agent_id
    where k.account_id = ${account.rootId} and k.chain_id = ${chainId} and k.audience is null
      and (${agentId}::text is null or k.agent_id = ${agentId})
      and ((k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) or k.id in (
        select e.id from api_keys e
        where e.account_id = ${account.rootId} and e.chain_id = ${chainId} and e.audience is null
          and (${agentId}::text is null or e.agent_id = ${agentId})
          and (e.revoked_at is not null or e.expires_at <= now())
        order by e.created_at desc limit ${MOST_ENDED}))
    order by k.created_at desc, k.id desc`;
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    id: row.id,
    agentHandle: row.agent_handle,
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
