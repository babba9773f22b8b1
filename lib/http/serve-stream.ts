import { clientAddressOf } from "@/lib/base/client-address";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { CHAIN_ID } from "@/lib/base/network";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { openStream } from "@/lib/events/stream/open-streams";
import { authenticateSession, networkParameter } from "@/lib/http/auth/authenticate-session";
import { failure } from "./failure";
import { afterFailedCaller, type LimitHeaders, limitRequest } from "./limits";

/**
 * Serves `GET /api/stream`: server-sent events for a signed-in browser, until it disconnects, its session ends or the
 * process stops. lib/events/stream/account-stream.ts says what is sent and how a stream continues after a disconnect.
 */
export async function serveStream(request: Request): Promise<Response> {
  const requestId = newId("request");
  noteRequest({ requestId });
  const limits: LimitHeaders = {};
  try {
    const search = new URL(request.url).searchParams;
    const network = networkParameter(search.getAll("network"));
    const clientAddress = clientAddressOf(request.headers);
    const origin = { network, chainId: CHAIN_ID[network], requestId, clientAddress };
    const cookies = request.headers.get("cookie");
    const ctx = await authenticateSession(cookies, origin).catch(async (error) => {
      throw await afterFailedCaller("public", error, clientAddress, limits);
    });
    const caller = { kind: "session", id: ctx.sessionId, chainId: ctx.chainId, root: ctx.account.rootAddress } as const;
    await limitRequest(null, caller, limits);
    const holds = () =>
      authenticateSession(cookies, origin).then(
        () => true,
        (error) => {
          if (error instanceof ApiError) return false;
          throw error;
        },
      );
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies must not cache, compress or buffer the stream.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-request-id": requestId,
    };
    if (request.method === "HEAD") return new Response(null, { headers });
    const stream = await openStream(ctx, request.headers.get("last-event-id") ?? search.get("last_event_id"), holds);
    request.signal.addEventListener("abort", () => stream.end(), { once: true });
    if (request.signal.aborted) stream.end();
    return new Response(stream.readable, { headers });
  } catch (thrown) {
    return failure(thrown, requestId, "GET /api/stream", limits);
  }
}
