import type { Dispatcher } from "undici";
import { parseRetryAfter } from "./schedule";

/** The longest an attempt takes, from the look-up of the name to the end of the response. */
export const ATTEMPT_MS = 15_000;
/** How much of a response is read: the connection of a longer one is not used again. */
const READ_BYTES = 4_096;
/** How much of it is kept, as UTF-8. */
export const KEPT_BYTES = 256;

/** Where a request goes, as undici takes it. */
export interface Target {
  origin: string;
  path: string;
}

/** How an attempt ended. `error` says why it failed, by stage: `dns:`, `address:`, `connect:`, `tls:`, `timeout:` … */
export interface EndpointResponse {
  ok: boolean;
  code: number | null;
  /** The first 256 bytes; null for a redirect, whose text may hold what its address does. */
  body: string | null;
  error: string | null;
  durationMs: number;
  /** What the receiver asked for in ms. */
  retryAfter: number;
}

/** A request as it is sent. */
export interface Request extends Target {
  method: "POST";
  /** Names and values in turn. */
  headers: string[];
  body: string;
}

/**
 * One POST of a delivery. Redirects are not followed. The status is the response: a body that stalls or breaks off
 * changes nothing; no more than 4 KiB of it are read, the connection of a longer one is dropped.
 *
 * It is undici's handler itself: thousands of these are made a second.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  private ended = false;
  private resolve?: (result: EndpointResponse | null) => void;
  private timer?: NodeJS.Timeout;
  private controller?: Dispatcher.DispatchController;
  private agent?: Dispatcher;
  private request?: Request;
  private retried = false;
  private at = new Date(0);
  private start = 0;
  private code: number | null = null;
  private retryAfter = 0;
  private length = 0;
  private readonly chunks: Buffer[] = [];

  /** @param at for `Retry-After` dates */
  post(agent: Dispatcher, request: Request, at: Date): Promise<EndpointResponse | null> | null {
    if (this.ended) return null;
    this.agent = agent;
    this.request = request;
    this.at = at;
    this.start = performance.now();
    this.timer = setTimeout(expire, ATTEMPT_MS, this);
    const result = new Promise<EndpointResponse | null>((resolve) => {
      this.resolve = resolve;
    });
    agent.dispatch(request, this);
    return result;
  }

  /** Breaks it off: it returns null unless it has a status already. */
  interrupt(): void {
    this.end(this.code === null ? null : this.resultOf(null));
  }

  get interrupted(): boolean {
    return this.ended;
  }

  /** Its time is up. */
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
    if (this.ended) return;
    const { agent, request } = this;
    if (agent && request && !this.retried && this.code === null && closedWhileIdle(error)) {
      this.retried = true;
      agent.dispatch(request, this);
      return;
    }
    this.settle(this.resultOf(describeFailure(error)));
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

const expire = (attempt: Attempt): void => attempt.expire();

/** What a status says that is no success. */
function statusError(code: number): string | null {
  if (code >= 200 && code < 300) return null;
  return isRedirect(code) ? `redirect: ${code} is not followed` : `status: ${code}`;
}

const isRedirect = (code: number): boolean => code >= 300 && code < 400;

/** NUL, which PostgreSQL's text does not have, and what moves a terminal's cursor or turns the direction of a line. */
const HARMFUL = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function asText(chunks: Buffer[]): string {
  if (chunks.length === 0) return "";
  // A character that the cut splits is left out.
  const read = Buffer.concat(chunks);
  const cut = { stream: read.length > KEPT_BYTES };
  const text = new TextDecoder().decode(read.subarray(0, KEPT_BYTES), cut).replace(HARMFUL, "\ufffd");
  // What is no text takes up to three bytes each once it is.
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES)).read);
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
  if (CLOSED.has(code)) return "connection: closed before a response";
  if (code.startsWith("UND_ERR_")) return `response: not understood (${code})`;
  if (TLS.test(code)) return `tls: ${code}`;
  return `connection: ${code || "failed"}`;
}
