import { sql } from "@/db/client";
import type { WalletContext } from "@/lib/base/context/wallet-context";

/** A session of the wallet that is still valid. */
export interface SessionRecord {
  id: string;
  userAgent: string | null;
  /** IP address of the sign-in. */
  clientAddress: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** Whether this request came with the session. */
  current: boolean;
}

interface Row {
  token_hash: Buffer;
  user_agent: string | null;
  client_address: string | null;
  created_at: string;
  expires_at: string;
}

/**
 * Returns the wallet's valid sessions, newest first. Their ids are the stored hashes, which can't be used to sign in.
 */
export async function listSessions(ctx: WalletContext): Promise<SessionRecord[]> {
  const rows = await sql()<Row[]>`
    select token_hash, user_agent, client_address, created_at, expires_at from sessions
    where address = ${Buffer.from(ctx.address.slice(2), "hex")} and revoked_at is null and expires_at > now()
      and (chain_id is null or chain_id = ${ctx.chainId})
    order by created_at desc, token_hash`;
  return rows.map((row) => ({
    id: row.token_hash.toString("hex"),
    userAgent: row.user_agent,
    clientAddress: row.client_address,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    current: row.token_hash.toString("hex") === ctx.sessionId,
  }));
}
