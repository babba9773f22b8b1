import { createMcpHandler } from "@modelcontextprotocol/server";
import { authenticateKey } from "@/lib/auth/authenticate-key";
import { clientAddressOf } from "@/lib/client-address";
import { CONNECTION_SCOPES, resourceMetadataUrl } from "@/lib/connections/metadata";
import { mcpResource } from "@/lib/connections/resource";
import type { KeyContext } from "@/lib/context/context";
import { onBehalfOf } from "@/lib/current-account";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { failure } from "@/lib/http/failure";
import { afterFailedKey, type LimitHeaders, limitCaller } from "@/lib/http/limits";
import { readJsonBody } from "@/lib/http/read-json-body";
import { newId } from "@/lib/ids";
import { CHAIN_ID, type Network } from "@/lib/network";
import { noteRequest } from "@/lib/telemetry/current-request";
import { mcpServer } from "@/sdk/mcp/mcp-server";
import { hostedClient } from "./hosted-client";
import type { OwnRoutes } from "./own-fetch";

const MESSAGE_LIMIT = { kib: 256, values: 10_000 };

/**
 * Serves one request to a network's MCP server (streamable HTTP, stateless, so any process can serve the next request).
 * The bearer token must be an access token for exactly this server; API keys and tokens for other addresses are
 * refused.
 *
 * @param routes the routes of this service that the tools can call
 */
export async function serveMcp(request: Request, network: Network, routes: OwnRoutes): Promise<Response> {
  const requestId = newId("request");
  const limits: LimitHeaders = {};
  noteRequest({ requestId });
  try {
    requireOwnOrigin(request);
    const { ctx, token } = await authenticated(request, network, requestId, limits);
    const { rootAddress: root } = ctx.account;
    const response = await onBehalfOf(root, async () => {
      await limitCaller({ kind: "api_key", id: ctx.keyId, chainId: ctx.chainId, root }, limits);
      const parsedBody = await oneMessage(request);
      const client = hostedClient(ctx, token, routes);
      // No stream outlives its request, because the list of tools never changes.
      const options = { maxRequestBodySize: MESSAGE_LIMIT.kib * 1024, maxSubscriptions: 0 };
      return createMcpHandler(() => mcpServer(async () => client), options).fetch(request, { parsedBody });
    });
    for (const [name, value] of Object.entries({ ...limits, "x-request-id": requestId })) {
      response.headers.set(name, value);
    }
    response.headers.set("cache-control", "no-store");
    return response;
  } catch (thrown) {
    const response = failure(thrown, requestId, `POST /mcp/${network}`, limits);
    if (response.status === 401) response.headers.set("www-authenticate", challenge(network, request));
    return response;
  }
}

/** Returns the request's message. Only one is allowed, because a request counts once against the limits. */
async function oneMessage(request: Request): Promise<unknown> {
  const { value } = await readJsonBody(request, MESSAGE_LIMIT);
  if (!Array.isArray(value)) return value ?? {};
  throw new ApiError("invalid_request", "Send one message in each request.");
}

/**
 * Refuses requests from pages of other sites, including those whose host name was pointed at this service (DNS
 * rebinding).
 */
function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === env().origin) return;
  throw new ApiError("key_forbidden", "This request comes from another site's page. Use an application of your own.");
}

async function authenticated(
  request: Request,
  network: Network,
  requestId: string,
  limits: LimitHeaders,
): Promise<{ ctx: KeyContext; token: string }> {
  const authorization = request.headers.get("authorization");
  const sender = { requestId, clientAddress: clientAddressOf(request.headers) };
  try {
    const { context } = await authenticateKey(authorization, sender, "flag", new Date(), mcpResource(network));
    if (context.chainId !== CHAIN_ID[network]) throw noToken();
    return { ctx: context, token: (authorization ?? "").replace(/^Bearer +/i, "").trim() };
  } catch (error) {
    const refusal = error instanceof ApiError && error.code === "unauthorized" ? noToken() : error;
    throw await afterFailedKey(refusal, sender.clientAddress, limits);
  }
}

/** Returns the same error for every token that does not work here. */
function noToken(): ApiError {
  return new ApiError(
    "unauthorized",
    "Send an access token for this address that has not ended. `WWW-Authenticate` says where applications get one.",
  );
}

/** Returns the `WWW-Authenticate` header, which says where an application gets a token (RFC 6750, RFC 9728). */
function challenge(network: Network, request: Request): string {
  const parts = [
    ...(request.headers.has("authorization") ? ['error="invalid_token"'] : []),
    `scope="${CONNECTION_SCOPES.join(" ")}"`,
    `resource_metadata="${resourceMetadataUrl(network)}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}
