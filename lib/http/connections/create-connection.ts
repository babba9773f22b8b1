import { sha256 } from "@noble/hashes/sha2.js";
import { db } from "@/db/client";
import { connections } from "@/db/schema/connections";
import { addKey } from "@/lib/accounts/keys/add-key";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { isWalletSignature } from "@/lib/chain/erc1271";
import { scopeOf } from "@/lib/chain/scope-of";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { CONNECTION_MS, consentDigest } from "@/lib/ledger/prepare/consent";
import { type AuthorizationRequest, readAuthorizationRequest } from "./read-authorization-request";
import { mcpResource } from "./resource";
import type { CreateConnectionInput } from "./schema";

/** How long a code can be exchanged, in milliseconds. */
const CODE_MS = 60_000;

/**
 * Connects an application to the agent that the context acts for, with the consent of the owner's wallet. Registers an
 * access token that the owner's browser created, and stores it encrypted under a code that only the application gets,
 * until the code is exchanged.
 *
 * @returns the id of the connection
 * @throws ApiError `invalid_request` if the context is not an agent's, the application's request is invalid, the
 *   signature is not the wallet's over exactly this request, or the token or code was used before;
 *   `available_balance_changed` if the secret has been rotated in the meantime
 */
export async function createConnection(
  ctx: SessionContext,
  input: CreateConnectionInput,
  now = new Date(),
): Promise<{ id: string }> {
  const { account, chainId, network } = ctx;
  if (account.type !== "agent") throw refused("agent", "Name the agent to connect to.");
  const request = readAuthorizationRequest(input.request);
  if ("refusal" in request) throw refused("request", request.refusal);
  if (request.network !== network) throw refused("request", "The application asks for access on the other network.");
  await requireConsent(ctx, input, request);
  const { client, redirectUri, codeChallenge, scopes } = request;
  const { key_hash, prefix, last_four, wrap, flag_wrap, secret_version } = input;
  const expiresAt = new Date(now.getTime() + CONNECTION_MS[input.lasts]);
  const scope = await scopeOf(chainId);
  return db().transaction(async (tx) => {
    const token = await addKey(
      tx,
      ctx,
      scope,
      {
        label: client.name,
        key_hash,
        prefix,
        last_four,
        wrap,
        flag_wrap,
        secret_version,
        scopes,
        expires_at: expiresAt,
      },
      now,
      { audience: mcpResource(network) },
    );
    const id = newId("connection");
    const [row] = await tx
      .insert(connections)
      .values({
        id,
        accountId: account.rootId,
        chainId,
        keyId: token.id,
        application: client.name,
        clientHash: hashOf(client.id),
        redirectUri,
        codeHash: input.code_hash,
        codeChallenge,
        codeExpiresAt: new Date(now.getTime() + CODE_MS),
        encryptedToken: input.encrypted_token,
        createdAt: now,
      })
      .onConflictDoNothing({ target: connections.codeHash })
      .returning({ id: connections.id });
    if (!row) throw refused("code_hash", "This code was used before. Start again.");
    return { id };
  });
}

/** Returns the hash by which a row identifies an application. */
export const hashOf = (clientId: string) => toHex(sha256(utf8(clientId)));

async function requireConsent(
  { account, chainId, network }: SessionContext,
  { key_hash: token, lasts, signature }: CreateConnectionInput,
  { client, redirectUri, codeChallenge, scopes }: AuthorizationRequest,
): Promise<void> {
  const consent = {
    application: client.name,
    redirectUri,
    agent: account.address,
    access: scopes.join(" "),
    lasts,
    resource: mcpResource(network),
    token,
    clientId: client.id,
    codeChallenge,
  };
  const digest = consentDigest(await scopeOf(chainId), account.rootAddress, consent);
  if (await isWalletSignature(chainId, account.rootAddress, digest, signature)) return;
  throw refused("signature", "The signature is not that of your wallet over this request. Sign again.");
}

const refused = (param: string, message: string) => new ApiError("invalid_request", message, { param });
