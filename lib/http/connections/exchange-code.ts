import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { connections } from "@/db/schema/connections";
import { apiKeys } from "@/db/schema/keys";
import { endKey } from "@/lib/accounts/keys/end-key";
import { CHAIN_ID, type ChainId } from "@/lib/base/network";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { SYSTEM } from "@/lib/events/audit/append";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptToken, hashConnectionCode, isConnectionCode } from "@/lib/ledger/encrypted/connection-code";
import { type Client, readClientId } from "./client-id";
import { hashOf } from "./create-connection";
import { OauthError } from "./oauth-error";
import { verifiesChallenge } from "./pkce";
import { networkOfResource } from "./resource";
import type { TokenInput } from "./schema";

/** A successful response of the token endpoint (RFC 6749, 5.1). There are no refresh tokens. */
export interface IssuedToken {
  access_token: string;
  token_type: "Bearer";
  /** In seconds. */
  expires_in: number;
  scope: string;
}

/** Returns the same error for every refusal, so that no one learns what was wrong with a code. */
const invalidGrant = () =>
  new OauthError("invalid_grant", "The code is unknown, used, expired, or not for this request.");

/**
 * Exchanges an authorization code for the access token that is encrypted under it. A code works once. A second
 * exchange, or one by another application, means that the code has leaked, so it also ends the token.
 *
 * @throws OauthError `unsupported_grant_type`, `invalid_client`, `invalid_grant`
 */
export async function exchangeCode(input: TokenInput, now = new Date()): Promise<IssuedToken> {
  if (input.grant_type !== "authorization_code") {
    throw new OauthError("unsupported_grant_type", "grant_type is authorization_code; there are no refresh tokens.");
  }
  const client = readClientId(input.client_id);
  if (!client) throw new OauthError("invalid_client", "Register the application again.");
  if (!isConnectionCode(input.code)) throw invalidGrant();
  // A process that has not used the ledger yet reads its salt, for which a transaction has no second connection.
  const network = networkOfResource(input.resource);
  const scope = network && (await scopeOf(CHAIN_ID[network]));
  // Throw after the transaction: a refusal ends the token, and that must be committed.
  const issued = await db().transaction((tx) => exchange(tx, input, { client, scope, now }));
  if (!issued) throw invalidGrant();
  return issued;
}

async function exchange(
  tx: Tx,
  input: TokenInput,
  { client, scope, now }: { client: Client; scope: ChainScope | null; now: Date },
): Promise<IssuedToken | null> {
  const code = toHex(hashConnectionCode(input.code));
  const [row] = await tx.select().from(connections).where(eq(connections.codeHash, code)).for("update");
  if (!row) return null;
  const { id, keyId, accountId: rootId, encryptedToken } = row;
  const chainId = row.chainId as ChainId;
  const [token] = await tx
    .select({
      hash: apiKeys.hash,
      scopes: apiKeys.scopes,
      audience: apiKeys.audience,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      holder: accounts.address,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.agentId))
    .where(eq(apiKeys.id, keyId));
  const once = row.codeUsedAt === null;
  const itsOwn =
    row.clientHash === hashOf(client.id) &&
    row.redirectUri === input.redirect_uri &&
    token?.audience === input.resource &&
    verifiesChallenge(input.code_verifier, row.codeChallenge);
  const inTime = row.codeExpiresAt > now && token?.expiresAt != null && token.expiresAt > now && !token.revokedAt;
  await tx
    .update(connections)
    .set({ codeUsedAt: row.codeUsedAt ?? now, encryptedToken: null })
    .where(eq(connections.id, id));
  const text =
    once && itsOwn && inTime && encryptedToken && scope
      ? opened(input.code, { ...token, scope, encryptedToken })
      : null;
  if (text === null || !token?.expiresAt) {
    await endKey(tx, { id: keyId, rootId, chainId }, SYSTEM, now);
    return null;
  }
  return {
    access_token: text,
    token_type: "Bearer",
    expires_in: Math.floor((token.expiresAt.getTime() - now.getTime()) / 1_000),
    scope: (token.scopes ?? []).join(" "),
  };
}

interface Encrypted {
  hash: `0x${string}`;
  holder: `0x${string}`;
  scope: ChainScope;
  encryptedToken: `0x${string}`;
}

/** Returns the token, or null if the owner's browser encrypted something else. */
function opened(code: string, { hash, holder, scope, encryptedToken }: Encrypted): string | null {
  try {
    return decryptToken(code, fromHex(hash), { scope, holder }, fromHex(encryptedToken));
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}
