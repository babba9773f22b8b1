import { createHash, randomBytes } from "node:crypto";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import type { ContextAccount } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { networkOf } from "@/lib/base/network";
import { type Client, registerClient } from "@/lib/http/connections/client-id";
import { createConnection } from "@/lib/http/connections/create-connection";
import { mcpResource } from "@/lib/http/connections/resource";
import type { CreateConnectionInput, TokenInput } from "@/lib/http/connections/schema";
import { randomBytes as randomSecret, toHex } from "@/lib/ledger/crypto/bytes";
import { generateApiKey, hashApiKey, wrapFlagKey, wrapSecret } from "@/lib/ledger/encrypted/api-key";
import { encryptToken, generateConnectionCode, hashConnectionCode } from "@/lib/ledger/encrypted/connection-code";
import { type ConnectionTime, consentTypedData } from "@/lib/ledger/prepare/consent";
import type { Owner } from "./owner";

export const REDIRECT = "http://127.0.0.1:33418/callback";

/** Inserts a row of an agent, without a ledger behind it. */
export async function agentRow({ account }: Owner, name: string): Promise<ContextAccount> {
  const row = {
    id: newId("account"),
    handle: `${account.handle}/${name}`,
    address: toHex(randomSecret(20)),
    type: "agent" as const,
    createdAt: new Date(),
  };
  await db()
    .insert(accounts)
    .values({ ...row, ownerId: account.id, chainId: 46630 });
  return { ...row, rootId: account.id, rootAddress: account.address };
}

/** What an application stores while the owner decides. */
export interface Asked {
  client: Client;
  verifier: string;
  /** The parameters of its link. */
  request: Record<string, string>;
}

/** Registers an application that asks for access. */
export function ask(owner: Owner, more: Record<string, string> = {}, name = "Test application"): Asked {
  const client = registerClient({ client_name: name, redirect_uris: [REDIRECT] });
  const verifier = randomBytes(32).toString("base64url");
  const request = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: REDIRECT,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: mcpResource(networkOf(owner.chainId)),
    ...more,
  };
  return { client, verifier, request };
}

/** What a token wraps of an agent. Without its authority, it can't pay. */
interface AgentSecrets {
  secret: Uint8Array;
  flagKey: Uint8Array;
  authority?: Uint8Array;
  heldPublicKey?: Uint8Array;
}

/**
 * Returns what an owner's browser creates from such a request for an agent: the body of `POST /api/connections`, and
 * its secrets.
 */
export async function consentTo(
  owner: Owner,
  agent: ContextAccount,
  { client, request }: Asked,
  secrets: AgentSecrets = { secret: randomSecret(32), flagKey: randomSecret(32) },
  lasts: ConnectionTime = "1 hour",
): Promise<{ body: CreateConnectionInput; code: string; token: string }> {
  const { scope, chainId, session } = owner;
  const [token, code] = [generateApiKey(chainId), generateConnectionCode(chainId)];
  const holding = { scope, holder: agent.address, version: 1 };
  const pays = request.scope !== "read";
  const consent = {
    application: client.name,
    redirectUri: request.redirect_uri ?? "",
    agent: agent.address,
    access: pays ? "read pay" : "read",
    lasts,
    resource: request.resource ?? "",
    token: toHex(hashApiKey(token)),
    clientId: request.client_id ?? "",
    codeChallenge: request.code_challenge ?? "",
  };
  const { secret, flagKey, authority = randomSecret(32), heldPublicKey = randomSecret(32) } = secrets;
  const body: CreateConnectionInput = {
    request,
    key_hash: consent.token,
    prefix: `hc_${session.network}_`,
    last_four: token.slice(-4),
    wrap: pays ? toHex(wrapSecret(token, holding, { secret, authority, heldPublicKey })) : null,
    flag_wrap: toHex(wrapFlagKey(token, holding, flagKey)),
    secret_version: 1,
    lasts,
    code_hash: toHex(hashConnectionCode(code)),
    encrypted_token: toHex(encryptToken(code, { scope, holder: agent.address }, token)),
    signature: await owner.wallet.signTypedData(consentTypedData(scope, owner.address, consent)),
  };
  return { body, code, token };
}

/** Returns what the application sends to the token endpoint. */
export function exchangeOf({ client, verifier, request }: Asked, code: string): TokenInput {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: request.redirect_uri ?? "",
    client_id: client.id,
    code_verifier: verifier,
    resource: request.resource ?? "",
  };
}

/** Connects an application to an agent at a given time, without exchanging its code. */
export async function connected(owner: Owner, agent: ContextAccount, now = new Date(), asked = ask(owner)) {
  const { body, code, token } = await consentTo(owner, agent, asked);
  const { id } = await createConnection({ ...owner.session, account: agent }, body, now);
  return { id, code, token, asked, exchange: exchangeOf(asked, code) };
}
