import type { Dispatcher } from "undici";
import { parseRetryAfter } from "./schedule";

/** The longest an attempt takes, from the look-up of the name to the end of the answer. */
export const ATTEMPT_MS = 15_000;
/** How much of a response is read. */
export const BODY_BYTES = 4_096;

/** Where a request goes, as undici takes it. */
export interface Target {
  origin: string;
  path: string;
}

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

/**
 * One POST of a delivery. Redirects are not followed. The status is the answer: a body that stalls or breaks off
 * changes nothing; no more than 4 KiB of it are read, the connection of a longer one is dropped.
 */
export class Attempt {
  private ended = false;
  private abort: () => void = () => {};
  private finish: (answer: Answer | null) => void = () => {};

  /** Breaks it off: it answers null unless it has a status already. */
  interrupt(): void {
    this.end(null);
  }

  get interrupted(): boolean {
    return this.ended;
  }

  private end(answer: Answer | null): void {
    this.ended = true;
    this.abort();
    this.finish(answer);
  }

  /** @param at for `Retry-After` dates */
  async post(
    agent: Dispatcher,
    target: Target,
    headers: Record<string, string>,
    body: string,
    at: Date,
  ): Promise<Answer | null> {
    if (this.ended) return null;
    const start = performance.now();
    let code: number | null = null;
    let retryAfter = 0;
    let length = 0;
    let kept = true; // may be made again on a fresh connection
    const chunks: Buffer[] = [];
    const answered = (error: string | null): Answer => {
      const ok = code !== null && code >= 200 && code < 300;
      return {
        ok,
        code,
        body: code === null ? null : asText(chunks),
        error: code === null ? error : statusError(code),
        durationMs: Math.round(performance.now() - start),
        retryAfter: ok ? 0 : retryAfter,
      };
    };
    const answer = new Promise<Answer | null>((resolve) => {
      this.finish = (given) => resolve(given ?? (code === null ? null : answered(null)));
    });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        this.abort = () => controller.abort(new Error("ended"));
        if (this.ended) this.abort();
      },
      onResponseStart: (_, status, fields) => {
        code = status;
        const field = fields["retry-after"];
        retryAfter = parseRetryAfter(Array.isArray(field) ? field[0] : field, at);
      },
      onResponseData: (_, chunk) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > BODY_BYTES) this.end(answered(null));
      },
      onResponseEnd: () => this.finish(answered(null)),
      onResponseError: (_, error) => {
        if (this.ended) return;
        const again = kept && code === null && closedWhileIdle(error);
        kept = false;
        if (again) send();
        else this.finish(answered(describeFailure(error)));
      },
    };
    const send = () => agent.dispatch({ ...target, method: "POST", headers, body }, handler);
    const timer = setTimeout(() => this.end(answered(`timeout: no answer within ${ATTEMPT_MS / 1000} s`)), ATTEMPT_MS);
    try {
      send();
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What a status says that is no success. */
function statusError(code: number): string | null {
  if (code >= 200 && code < 300) return null;
  return code >= 300 && code < 400 ? `redirect: ${code} is not followed` : `status: ${code}`;
}

function asText(chunks: Buffer[]): string {
  if (chunks.length === 0) return "";
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
const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/;

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
  if (TLS.test(code)) return `tls: ${code}`;
  return `connection: ${code || "failed"}`;
}
