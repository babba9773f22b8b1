import type { Network } from "@/lib/network";
import { type Client, readClientId } from "./client-id";
import { CONNECTION_SCOPES, type ConnectionScope } from "./metadata";
import { isCodeChallenge } from "./pkce";
import { networkOfResource } from "./resource";

/** What an application asks an owner for (RFC 6749 4.1.1, RFC 7636, RFC 8707). */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  codeChallenge: string;
  scopes: ConnectionScope[];
  state: string | undefined;
  network: Network;
}

const LONGEST_STATE = 1_024;

/**
 * Parses an authorization request.
 *
 * @param query each parameter as text, or as a list if it occurs more than once
 * @returns the request, or a sentence for the person that says why it is refused. No one is redirected then, because
 *   the address may be an attacker's
 */
export function readAuthorizationRequest(
  query: Readonly<Record<string, string | string[] | undefined>>,
): AuthorizationRequest | string {
  if (Object.values(query).some(Array.isArray)) return "A part of the link is there twice.";
  const {
    client_id = "",
    redirect_uri = "",
    code_challenge = "",
    resource = "",
    state,
    scope,
  } = query as Record<string, string | undefined>;
  const client = readClientId(client_id);
  if (!client) return "This service does not know the application. Let it connect again from the beginning.";
  if (!client.redirectUris.includes(redirect_uri)) {
    return "The application wants the response sent to an address that it has not registered.";
  }
  if (query.response_type !== "code")
    return "The application asks for a kind of response that this service does not give.";
  if (query.code_challenge_method !== "S256" || !isCodeChallenge(code_challenge)) {
    return "The application does not protect its request (PKCE with S256).";
  }
  const network = networkOfResource(resource);
  if (!network) return "The application asks for access to something else than this service's MCP server.";
  if (state !== undefined && state.length > LONGEST_STATE) return "The application's request is too long.";
  const scopes = scopesOf(scope);
  if (!scopes) return "The application asks for access that this service does not give.";
  return { client, redirectUri: redirect_uri, codeChallenge: code_challenge, scopes, state, network };
}

/**
 * Parses the scopes: `read`, or both, because paying without reading is of no use. Both if none is named; null for
 * unknown ones.
 */
function scopesOf(text: string | undefined): ConnectionScope[] | null {
  const named = (text ?? "").split(" ").filter(Boolean);
  if (named.length === 0) return [...CONNECTION_SCOPES];
  if (!named.every((name) => CONNECTION_SCOPES.some((known) => known === name))) return null;
  return named.includes("pay") ? [...CONNECTION_SCOPES] : ["read"];
}
