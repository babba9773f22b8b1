import { clientAddressOf } from "@/lib/base/client-address";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { OauthError } from "@/lib/http/connections/oauth-error";
import { failure } from "./failure";
import { OPEN_BODY_LIMIT } from "./front";
import { type LimitHeaders, limitAddress } from "./limits";
import { readBytes, readJsonBody } from "./read-json-body";

/** Readers for bodies of OAuth endpoints: JSON for registrations (RFC 7591), a form otherwise (RFC 6749). */
const READ = {
  json: async (request: Request): Promise<unknown> => (await readJsonBody(request, OPEN_BODY_LIMIT)).value,
  form: readForm,
};

/**
 * Returns a route for an OAuth endpoint, which anyone may call. Requests are counted by client address, errors have the
 * format of RFC 6749, 5.2, and responses are never cached.
 */
export function oauthRoute(
  read: keyof typeof READ,
  status: number,
  handle: (body: unknown) => Promise<object | null>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    const headers = { "cache-control": "no-store", pragma: "no-cache", "x-request-id": requestId };
    noteRequest({ requestId });
    try {
      await limitAddress("oauth", clientAddressOf(request.headers), limits);
      const result = await handle(await READ[read](request));
      return result === null
        ? new Response(null, { status, headers: { ...headers, ...limits } })
        : Response.json(result, { status, headers: { ...headers, ...limits } });
    } catch (thrown) {
      const error = asOauthError(thrown);
      if (!error) return failure(thrown, requestId, `${request.method} ${new URL(request.url).pathname}`, limits);
      noteRequest({ errorCode: error.code });
      const body = { error: error.code, error_description: error.description };
      return Response.json(body, { status: error.status, headers: { ...headers, ...limits } });
    }
  };
}

/** Converts errors of the body to OAuth's format. Other errors (a limit, a failure of ours) keep the usual format. */
function asOauthError(thrown: unknown): OauthError | null {
  if (thrown instanceof OauthError) return thrown;
  const ofBody = thrown instanceof ApiError && thrown.code === "invalid_request";
  return ofBody ? new OauthError("invalid_request", thrown.publicMessage) : null;
}

/** Reads the fields of a form, each of which may occur once (RFC 6749, 3.2). */
async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new OauthError("invalid_request", "Send a form: Content-Type application/x-www-form-urlencoded.");
  }
  const text = new TextDecoder().decode(await readBytes(request, OPEN_BODY_LIMIT.kib * 1024));
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) throw new OauthError("invalid_request", "Send each parameter once.");
    fields[name] = value;
  }
  return fields;
}
