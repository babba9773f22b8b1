import type { Dispatcher } from "undici";
import { parseRetryAfter } from "./schedule";

/** The longest an attempt takes, from the look-up of the name to the status line. */
export const ATTEMPT_MS = 15_000;
/** How much of a response is read. */
export const BODY_BYTES = 4_096;

/** How an attempt ended. `error` says why it failed, by stage: `dns:`, `address:`, `connect:`, `tls:`, `timeout:` … */
export interface Answer {
  ok: boolean;
  code: number | null;
  /** The first 4 KiB. */
  body: string | null;
  error: string | null;
  durationMs: number;
  /** What the receiver asked for in ms. */
  retryAfter: number;
}

const INTERRUPTED = Symbol("interrupted");

/** Ends an attempt whose outcome is no longer wanted. */
export const interrupt = (controller: AbortController): void => controller.abort(INTERRUPTED);

/**
 * Posts a delivery once and answers how that ended; null when interrupted. Redirects are not followed. No more than
 * 4 KiB of the response are read; the connection of a longer one is dropped.
 *
 * @param now for `Retry-After` dates
 */
export async function attempt(
  agent: Dispatcher,
  url: string,
  headers: Record<string, string>,
  body: string,
  controller: AbortController,
  now: Date,
): Promise<Answer | null> {
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  const timer = setTimeout(() => controller.abort(), ATTEMPT_MS);
  const { origin, pathname, search } = new URL(url);
  const post = () =>
    agent.request({ origin, path: pathname + search, method: "POST", headers, body, signal: controller.signal });
  try {
    const response = await post().catch((error) => {
      if (controller.signal.aborted || !closedWhileIdle(error)) throw error;
      return post();
    });
    const code = response.statusCode;
    const ok = code >= 200 && code < 300;
    // The status is the answer. A body that stalls or breaks off changes nothing.
    const text = await firstBytes(response.body);
    if (controller.signal.reason === INTERRUPTED && !ok) return null;
    const redirect = code >= 300 && code < 400;
    const header = response.headers["retry-after"];
    return {
      ok,
      code,
      body: text,
      error: ok ? null : redirect ? `redirect: ${code} is not followed` : `status: ${code}`,
      durationMs: durationMs(),
      retryAfter: ok ? 0 : parseRetryAfter(Array.isArray(header) ? header[0] : header, now),
    };
  } catch (error) {
    if (controller.signal.reason === INTERRUPTED) return null;
    const reason = controller.signal.aborted
      ? `timeout: no answer within ${ATTEMPT_MS / 1000} s`
      : describeFailure(error);
    return { ok: false, code: null, body: null, error: reason, durationMs: durationMs(), retryAfter: 0 };
  } finally {
    clearTimeout(timer);
  }
}

async function firstBytes(stream: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > BODY_BYTES) break; // leaving the loop destroys the stream and its connection
    }
  } catch {
    // What came before it broke off is shown.
  }
  // PostgreSQL's text has no NUL.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, BODY_BYTES)).replaceAll("\0", "\ufffd");
}

/** A kept connection that the receiver closed just as it was used again: nothing was processed. */
function closedWhileIdle(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0;
}

const DNS = new Set(["ENOTFOUND", "ENODATA", "ESERVFAIL", "ETIMEOUT", "EREFUSED", "EAI_AGAIN"]);
const CONNECT = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]);
const CLOSED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function describeFailure(thrown: unknown): string {
  const error = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const { code = "", message = "", name = "" } = error as { code?: string; message?: string; name?: string };
  if (name === "HTTPParserError") return "response: not HTTP";
  if (code === "ADDRESS_REFUSED") return `address: ${message}`;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "connect: no connection within 10 s";
  if (DNS.has(code)) return `dns: the name does not resolve (${code})`;
  if (CONNECT.has(code)) return `connect: ${code}`;
  if (CLOSED.has(code)) return "connection: closed before an answer";
  if (code.startsWith("UND_ERR_")) return `response: not understood (${code})`;
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/.test(code))
    return `tls: ${code}`;
  return `connection: ${code || "failed"}`;
}
