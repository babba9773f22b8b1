import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";

/** A key that stops working soon. */
interface ExpiringKey {
  id: string;
  label: string;
  lastFour: string;
  /** Handle of the agent that the key belongs to, without `@`; null if it belongs to the account itself. */
  agentHandle: string | null;
  expiresAt: Date;
}

const MOST = 5;

/**
 * Returns valid keys of the account and its agents that expire before a time, soonest first, at most five. Access
 * tokens of connections are left out: they last only an hour.
 */
export async function listExpiringKeys({ account, chainId }: SessionContext, before: Date): Promise<ExpiringKey[]> {
  const rows = await sql()<
    { id: string; label: string; last_four: string; agent_handle: string | null; expires_at: string }[]
  >`
    select k.id, k.label, k.last_four, a.handle as agent_handle, k.expires_at
    from api_keys k left join accounts a on a.id = k.agent_id
    where k.account_id = ${account.rootId} and k.chain_id = ${chainId} and k.audience is null and k.revoked_at is null
      and k.expires_at > now() and k.expires_at < ${before.toISOString()}::timestamptz
    order by k.expires_at, k.id limit ${MOST}`;
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    lastFour: row.last_four,
    agentHandle: row.agent_handle,
    expiresAt: new Date(row.expires_at),
  }));
}
