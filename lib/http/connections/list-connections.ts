import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import type { ConnectionRecord } from "./connection-resource";

interface Row {
  id: string;
  agent_handle: string;
  application: string;
  redirect_uri: string;
  scopes: string[] | null;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
  code_used_at: string | null;
}

/** The most connections listed. Earlier ones are in the audit log. */
const MOST = 1_000;

/**
 * Returns the connections of the account's agents on the network, newest first. If the context acts for an agent, only
 * its own.
 */
export async function listConnections({ account, chainId }: SessionContext): Promise<ConnectionRecord[]> {
  const agentId = account.type === "agent" ? account.id : null;
  const rows = await sql()<Row[]>`
    select c.id, a.handle as agent_handle, c.application, c.redirect_uri, k.scopes, c.created_at, k.expires_at, k.revoked_at,
      k.last_used_at, c.code_used_at
    from connections c join api_keys k on k.id = c.key_id join accounts a on a.id = k.agent_id
    where c.account_id = ${account.rootId} and c.chain_id = ${chainId}
      and (${agentId}::text is null or k.agent_id = ${agentId})
    order by c.created_at desc, c.id desc limit ${MOST}`;
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    id: row.id,
    agentHandle: row.agent_handle,
    application: row.application,
    redirectUri: row.redirect_uri,
    scopes: row.scopes ?? [],
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    revokedAt: date(row.revoked_at),
    lastUsedAt: date(row.last_used_at),
    fetchedAt: date(row.code_used_at),
  }));
}
