import { createMcpHandler } from "@modelcontextprotocol/server";
import { clientAddressOf } from "@/lib/base/client-address";
import { onBehalfOf } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { CHAIN_ID, type Network } from "@/lib/base/network";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { count } from "@/lib/base/telemetry/record";
import { accountOf, lineOf, type RequestSlot, takeSlot, withSlot } from "@/lib/http/account-concurrency";
import { BODY_UNIT } from "@/lib/http/arriving-bodies";
import { type AuthenticatedKey, authenticateKey } from "@/lib/http/auth/authenticate-key";
import type { Caller } from "@/lib/http/caller";
import { CONNECTION_SCOPES, resourceMetadataUrl } from "@/lib/http/connections/metadata";
import { mcpResource } from "@/lib/http/connections/resource";
import { failure } from "@/lib/http/failure";
import { forgetCaller, rememberCaller } from "@/lib/http/known-callers";
import { afterFailedCaller, chargeCaller, type LimitHeaders, limitRequest, refuseSpent } from "@/lib/http/limits";
import { parseJson, readJsonBytes } from "@/lib/http/read-json-body";
import { mcpServer } from "@/sdk/mcp/mcp-server";
import { connectedAgent } from "./connected-agent";
import { type ToolOperations, toolOperations } from "./run-operations";

const MESSAGE_LIMIT = { kib: 256, values: 10_000 };

/**
 * Serves one request to a network's MCP server (streamable HTTP, stateless, so any process can serve the next request).
 * The bearer token must be an access token for exactly this server; API keys and tokens for other addresses are
 * refused.
 *
 * @param operations those of this service that the tools can run
 */
export async function serveMcp(request: Request, network: Network, operations: ToolOperations): Promise<Response> {
  const requestId = newId("request");
  const limits: LimitHeaders = {};
  noteRequest({ requestId });
  try {
    requireOwnOrigin(request);
    const authorization = request.headers.get("authorization");
    await refuseSpent(authorization, limits);
    const key = await authenticated(request, network, requestId, limits);
    const { context: ctx } = key;
    const { rootAddress: root } = ctx.account;
    const caller: Caller = { kind: "api_key", id: ctx.keyId, chainId: ctx.chainId, root, ofAgent: true };
    rememberCaller(authorization, lineOf(caller));
    const leaving: (() => void)[] = [];
    const leave = () => {
      for (const each of leaving.splice(0)) each();
    };
    let slot: RequestSlot | undefined;
    const serve = async () => {
      await limitRequest(authorization, caller, limits);
      slot = await takeSlot(caller);
      leaving.push(slot.leave);
      const bytes = await readJsonBytes(request, MESSAGE_LIMIT, lineOf(caller));
      const units = Math.ceil(bytes.byteLength / BODY_UNIT);
      if (units > 1) await chargeCaller(caller, limits, units - 1);
      await slot.acquire();
      const parsedBody = messageIn(parseJson(bytes, MESSAGE_LIMIT).value);
      if (callsSeller(parsedBody)) leaving.push(enterSellers(accountOf(caller)));
      const agent = connectedAgent(ctx, toolOperations(operations, key, authorization));
      const mayPay = ctx.scopes?.includes("pay") ?? true;
      // No stream outlives its request, because the list of tools never changes.
      const options = { maxRequestBodySize: MESSAGE_LIMIT.kib * 1024, maxSubscriptions: 0 };
      const handler = createMcpHandler(() => mcpServer(async () => agent, mayPay), options);
      return withSlot(slot, () => handler.fetch(request, { parsedBody }));
    };
    const response = await onBehalfOf(root, serve, () => slot?.release()).then(
      // The tools work while the response is sent.
      (begun) => atItsEnd(begun, request.signal, leave),
      (error) => {
        leave();
        throw error;
      },
    );
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
function messageIn(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? {};
  throw new ApiError("invalid_request", "Send one message in each request.");
}

/** Reports whether a message calls the tool that makes requests to sellers. */
function callsSeller(message: unknown): boolean {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  return method === "tools/call" && params?.name === "pay_url";
}

/** How many calls to sellers an account has under way in a process. A seller may take long to respond, or never do. */
export const MOST_SELLER_CALLS = 16;

const sellerCalls = new Map<string, number>();

/**
 * Counts a call to a seller.
 *
 * @returns ends the call
 * @throws ApiError `rate_limited`
 */
function enterSellers(account: string): () => void {
  const calls = sellerCalls.get(account) ?? 0;
  if (calls >= MOST_SELLER_CALLS) {
    count("halcyon.rate_limit.refusals", { policy: "sellers" });
    throw new ApiError("rate_limited", "Sellers have not responded to earlier calls yet. Wait for some of them.", {
      retryAfter: 5,
    });
  }
  sellerCalls.set(account, calls + 1);
  return () => {
    const left = (sellerCalls.get(account) ?? 1) - 1;
    if (left === 0) sellerCalls.delete(account);
    else sellerCalls.set(account, left);
  };
}

/** Calls `then` once when a response has been read to its end, or its client has disconnected. */
function atItsEnd(response: Response, disconnected: AbortSignal, then: () => void): Response {
  if (!response.body || disconnected.aborted) {
    then();
    return response;
  }
  disconnected.addEventListener("abort", then, { once: true });
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        then();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      then();
      controller.close();
    },
    cancel(reason) {
      then();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
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
): Promise<AuthenticatedKey> {
  const authorization = request.headers.get("authorization");
  const sender = { requestId, clientAddress: clientAddressOf(request.headers) };
  try {
    const key = await authenticateKey(authorization, sender, "flag", new Date(), mcpResource(network));
    if (key.context.chainId !== CHAIN_ID[network]) throw noToken();
    return key;
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === "unauthorized";
    if (isUnknown) forgetCaller(authorization);
    const refusal = isUnknown ? noToken() : error;
    throw await afterFailedCaller("failed_keys", refusal, sender.clientAddress, limits);
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
