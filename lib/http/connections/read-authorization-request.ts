import { env } from "@/lib/base/env";
import type { Network } from "@/lib/base/network";
import { type Client, readClientId } from "./client-id";
import { CONNECTION_SCOPES, type ConnectionScope } from "./metadata";
import { isCodeChallenge } from "./pkce";
import { isRegistered, redirectWith } from "./redirect-uri";
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

/** Why a request is refused. */
interface RefusedRequest {
  /** A sentence for the person. */
  refusal: string;
  /**
   * Where the application learns of it (RFC 6749, 4.1.2.1), if it and its address are known. Only a person follows it:
   * anyone can register an application, so the service would redirect anywhere (RFC 9700, 4.11.2).
   */
  back: string | null;
}

const LONGEST_STATE = 1_024;

/**
 * Parses an authorization request.
 *
 * @param query each parameter as text, or as a list if it occurs more than once
 */
export function readAuthorizationRequest(
  query: Readonly<Record<string, string | string[] | undefined>>,
): AuthorizationRequest | RefusedRequest {
  const lost = (refusal: string) => ({ refusal, back: null });
  if (Object.values(query).some(Array.isArray)) return lost("A part of the link is there twice.");
  const {
    client_id = "",
    redirect_uri = "",
    code_challenge = "",
    resource = "",
    state,
    scope,
  } = query as Record<string, string | undefined>;
  const client = readClientId(client_id);
  if (!client) return lost("This service does not know the application. Let it connect again from the beginning.");
  if (!isRegistered(redirect_uri, client.redirectUris)) {
    return lost("The application wants the response sent to an address that it has not registered.");
  }
  if (state !== undefined && state.length > LONGEST_STATE) return lost("The application's request is too long.");
  const refused = (error: string, refusal: string) => ({
    refusal,
    back: redirectWith(redirect_uri, { error, state, iss: env().origin }),
  });
  if (query.response_type !== "code") {
    const refusal = "The application asks for a kind of response that this service does not give.";
    return refused("unsupported_response_type", refusal);
  }
  if (query.code_challenge_method !== "S256" || !isCodeChallenge(code_challenge)) {
    return refused("invalid_request", "The application does not protect its request (PKCE with S256).");
  }
  const network = networkOfResource(resource);
  if (!network) {
    return refused(
      "invalid_target",
      "The application asks for access to something else than this service's MCP server.",
    );
  }
  const scopes = scopesOf(scope);
  if (!scopes) return refused("invalid_scope", "The application asks for access that this service does not give.");
  return { client, redirectUri: redirect_uri, codeChallenge: code_challenge, scopes, state, network };
}

/**
 * Parses the scopes: `read`, or both, because paying without reading is of no use. Both if none is named; null if none
 * of the named ones exists. Others are left out (RFC 6749, 3.3): many applications always ask for `offline_access`.
 */
function scopesOf(text: string | undefined): ConnectionScope[] | null {
  const named = (text ?? "").split(" ").filter(Boolean);
  if (named.length === 0) return [...CONNECTION_SCOPES];
  if (named.includes("pay")) return [...CONNECTION_SCOPES];
  return named.includes("read") ? ["read"] : null;
}
