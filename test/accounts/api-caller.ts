import type { Address } from "viem";
import { createKey } from "@/lib/accounts/keys/create-key";
import type { CreateKeyInput } from "@/lib/accounts/keys/schema";
import type { SessionContext } from "@/lib/base/context/context";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { generateApiKey, hashApiKey } from "@/lib/ledger/encrypted/api-key";
import { ApiDocument } from "@/test/services/api-document";
import { ORIGIN, serveInProcess, signedIn } from "@/test/services/in-process-service";
import { strayKey } from "./api-key";

/** A route's response. */
export interface RouteResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  json: Record<string, unknown> & { error?: { code: string; message: string; param?: string; reason?: string } };
}

/** Sends a request to the route that serves it, in this process. A text as body is sent as it is. */
export type RouteCall = (
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<RouteResponse>;

let document: ApiDocument | undefined;

/** Calls routes with these headers. Fails the test if a response of /v1 is not as docs/openapi.json says. */
const callWith =
  (own: Record<string, string>): RouteCall =>
  async (method, target, body, headers = {}) => {
    const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const type: Record<string, string> = sent === undefined ? {} : { "content-type": "application/json" };
    const init = { method, body: sent, headers: { ...type, ...own, ...headers } };
    const response = await serveInProcess(new Request(ORIGIN + target, init));
    const { status } = response;
    const text = await response.text();
    const seen = { status, headers: Object.fromEntries(response.headers), text };
    if (target.startsWith("/v1/")) {
      document ??= ApiDocument.ofRepository();
      const faults = document.faults({ method, target, ...seen });
      if (faults.length > 0) throw new Error(`${method} ${target} -> ${status}: ${faults.join("; ")}`);
    }
    return { ...seen, json: text ? JSON.parse(text) : {} };
  };

/** Calls routes without key and session. */
export const anyoneCalls = callWith({});

/** Returns a caller of /v1 with an API key. */
export const callerWith = (apiKey: string): RouteCall => callWith({ authorization: `Bearer ${apiKey}` });

/**
 * Creates an API key of the session's account whose wraps open nothing, and returns a caller with it: for requests that
 * are refused, or read, before a wrap would be opened.
 */
export async function keyCaller(
  session: SessionContext,
  more: Partial<CreateKeyInput> = {},
): Promise<{ id: string; text: string; call: RouteCall }> {
  const text = generateApiKey(session.chainId);
  const prefix = `hc_${session.network}_` as const;
  const input = { ...strayKey(), prefix, key_hash: toHex(hashApiKey(text)), last_four: text.slice(-4), ...more };
  const { id } = await createKey(session, input as CreateKeyInput);
  return { id, text, call: callerWith(text) };
}

/** Returns a caller of the session API, signed in with the wallet of an account, or of none. */
export const sessionCaller = async ({ address }: { address: Address }): Promise<RouteCall> =>
  callWith({ cookie: await signedIn(address), origin: ORIGIN, "content-type": "application/json" });
