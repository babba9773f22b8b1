import type { Dispatcher } from "undici";
import { HARMFUL } from "@/lib/base/harmful-characters";
import { parseRetryAfter } from "./schedule";

/** Time limit of an attempt, from the DNS lookup to the end of the response. */
export const ATTEMPT_MS = 15_000;
/** How much of a response is read. The connection of a longer response is not reused. */
const READ_BYTES = 4_096;
/** How much of a response is stored, as UTF-8. */
const KEPT_BYTES = 256;

/** A request's destination, in undici's terms. */
export interface DeliveryTarget {
  origin: string;
  path: string;
}

/**
 * The result of an attempt. `error` says why it failed, prefixed with the stage: `dns:`, `address:`, `connect:`,
 * `tls:`, `timeout:` …
 */
export interface EndpointResponse {
  ok: boolean;
  code: number | null;
  /** The first 256 bytes; null for a redirect, whose text may repeat the target address. */
  body: string | null;
  error: string | null;
  durationMs: number;
  /** The delay that the receiver asked for, in milliseconds. */
  retryAfter: number;
}

/** A request as it is sent. */
interface Request extends DeliveryTarget {
  method: "POST";
  /** Names and values, alternating. */
  headers: string[];
  body: string;
}

/**
 * One POST of a delivery. It is sent once, also if the receiver closes a kept connection just then: nothing shows whether
 * it has read the request. Redirects are not followed. Only the status matters: a body that stalls or breaks off changes
 * nothing. At most 4 KiB of the body are read; the connection of a longer one is closed.
 *
 * Implements undici's handler directly, because thousands of these are created per second.
 */
export class DeliveryAttempt implements Dispatcher.DispatchHandler {
  private ended = false;
  private resolve?: (result: EndpointResponse | null) => void;
  private timer?: NodeJS.Timeout;
  private controller?: Dispatcher.DispatchController;
  private at = new Date(0);
  private start = 0;
  private code: number | null = null;
  private retryAfter = 0;
  private length = 0;
  private readonly chunks: Buffer[] = [];

  /**
   * Sends the request. Returns null if the attempt was interrupted.
   *
   * @param at the current time, for `Retry-After` dates
   */
  post(agent: Dispatcher, request: Request, at: Date): Promise<EndpointResponse | null> | null {
    if (this.ended) return null;
    this.at = at;
    this.start = performance.now();
    this.timer = setTimeout(expire, ATTEMPT_MS, this);
    const result = new Promise<EndpointResponse | null>((resolve) => {
      this.resolve = resolve;
    });
    agent.dispatch(request, this);
    return result;
  }

  /** Aborts the attempt. It then returns null, unless a status has already arrived. */
  interrupt(): void {
    this.end(this.code === null ? null : this.resultOf(null));
  }

  get interrupted(): boolean {
    return this.ended;
  }

  /** Ends the attempt because its time limit has passed. */
  expire(): void {
    this.end(this.resultOf(`timeout: no response within ${ATTEMPT_MS / 1000} s`));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.ended) controller.abort(new Error("ended"));
  }

  onResponseStart(_: unknown, code: number, headers: Record<string, string | string[] | undefined>): void {
    this.code = code;
    const field = headers["retry-after"];
    this.retryAfter = parseRetryAfter(Array.isArray(field) ? field[0] : field, this.at);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.length += chunk.length;
    this.chunks.push(chunk);
    if (this.length > READ_BYTES) this.end(this.resultOf(null));
  }

  onResponseEnd(): void {
    this.settle(this.resultOf(null));
  }

  onResponseError(_: unknown, error: Error): void {
    if (!this.ended) this.settle(this.resultOf(describeFailure(error)));
  }

  private end(result: EndpointResponse | null): void {
    this.ended = true;
    this.controller?.abort(new Error("ended"));
    this.settle(result);
  }

  private settle(result: EndpointResponse | null): void {
    clearTimeout(this.timer);
    this.resolve?.(result);
  }

  private resultOf(error: string | null): EndpointResponse {
    const { code } = this;
    const ok = code !== null && code >= 200 && code < 300;
    return {
      ok,
      code,
      body: code === null || isRedirect(code) ? null : asText(this.chunks),
      error: code === null ? error : statusError(code),
      durationMs: Math.round(performance.now() - this.start),
      retryAfter: ok ? 0 : this.retryAfter,
    };
  }
}

const expire = (attempt: DeliveryAttempt): void => attempt.expire();

/** Returns the error for a status; null for success. */
function statusError(code: number): string | null {
  if (code >= 200 && code < 300) return null;
  return isRedirect(code) ? `redirect: ${code} is not followed` : `status: ${code}`;
}

const isRedirect = (code: number): boolean => code >= 300 && code < 400;

function asText(chunks: Buffer[]): string {
  if (chunks.length === 0) return "";
  // Drops a character that the cut splits. PostgreSQL can't store NUL in text.
  const read = Buffer.concat(chunks);
  const cut = { stream: read.length > KEPT_BYTES };
  const text = new TextDecoder().decode(read.subarray(0, KEPT_BYTES), cut).replace(HARMFUL, "\ufffd");
  // Replacement characters take up to three bytes each, so cut again.
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES)).read);
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
  if (CLOSED.has(code)) return "connection: closed before a response";
  if (code.startsWith("UND_ERR_")) return `response: not understood (${code})`;
  if (TLS.test(code)) return `tls: ${code}`;
  return `connection: ${code || "failed"}`;
}
