import type { Address } from "viem";
import { sql } from "@/db/client";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import type { ContextAccount, SessionContext } from "@/lib/base/context/context";
import type { RequestOrigin, WalletContext } from "@/lib/base/context/wallet-context";
import { ApiError, SESSION_EXPIRED } from "@/lib/base/errors";
import type { Network } from "@/lib/base/network";
import { sessionHash } from "@/lib/http/auth/create-session";
import { readSessionCookie } from "@/lib/http/auth/read-session-cookie";

interface Row {
  address: Buffer;
  token_hash: Buffer;
  id: string | null;
  handle: string;
  type: ContextAccount["type"];
  created_at: string;
  expires_at: string;
  expired: boolean;
}

/**
 * Authenticates the wallet of a session cookie. next-auth's token carries our own random token, whose hash is looked up
 * each time, so a revocation takes effect with the next request on every server. An agent's wallet has no session: its
 * owner acts for it.
 *
 * @throws ApiError `unauthorized`, with the reason `session_expired` if the session has expired
 */
export async function authenticateWallet(cookies: string | null, origin: RequestOrigin): Promise<WalletContext> {
  const token = await sessionToken(cookies);
  const [row] = token
    ? await sql()<Row[]>`
        select s.address, s.token_hash, s.expires_at, s.expires_at <= now() as expired, a.id, a.handle, a.type, a.created_at
        from sessions s left join accounts a on a.address = s.address and a.owner_id is null
        where s.token_hash = ${sessionHash(token)} and s.revoked_at is null
          and (s.chain_id is null or s.chain_id = ${origin.chainId})`
    : [];
  if (!row) throw new ApiError("unauthorized", "Sign in with your wallet first (docs/session-api.md).");
  if (row.expired) {
    // Only a caller with the session's own token learns that it expired.
    throw new ApiError("unauthorized", "Your session has ended. Sign in again.", { reason: SESSION_EXPIRED });
  }
  const address: Address = `0x${row.address.toString("hex")}`;
  const account = row.id
    ? {
        id: row.id,
        handle: row.handle,
        address,
        type: row.type,
        rootId: row.id,
        rootAddress: address,
        createdAt: new Date(row.created_at),
      }
    : null;
  const sessionEndsAt = new Date(row.expires_at);
  return { actor: "wallet", address, sessionId: row.token_hash.toString("hex"), sessionEndsAt, account, ...origin };
}

/**
 * Does the same as {@link authenticateWallet}, for routes that act for an account or one of its agents.
 *
 * @param agent handle or id of the agent to act for
 * @throws ApiError `not_found` without an account or for an unknown agent, `not_agent_owner` for someone else's agent
 */
export async function authenticateSession(
  cookies: string | null,
  origin: RequestOrigin,
  agent?: string,
): Promise<SessionContext> {
  const { account, sessionId } = await authenticateWallet(cookies, origin);
  if (!account) throw new ApiError("not_found", "This wallet has no account yet. Create one: POST /api/accounts.");
  const own: SessionContext = { actor: "session", account, sessionId, ...origin };
  return agent === undefined ? own : { ...own, account: await findOwnAgent(own, agent) };
}

/**
 * Parses the `network` query parameter, `test` by default.
 *
 * @throws ApiError `invalid_request` naming `network`
 */
export function networkParameter(values: string[]): Network {
  const [value = "test"] = values;
  if (values.length < 2 && (value === "test" || value === "live")) return value;
  throw new ApiError("invalid_request", "network is test or live.", { param: "network" });
}

async function sessionToken(cookies: string | null): Promise<string | undefined> {
  const payload = await readSessionCookie(cookies);
  return typeof payload?.sessionToken === "string" ? payload.sessionToken : undefined;
}
