import type { ErrorCode } from "@/lib/base/errors";
import { plainFetch } from "@/lib/base/plain-fetch";
import { Call } from "./call";
import {
  ApiCallError,
  type ApiErrorDetails,
  HalcyonError,
  NoResponse,
  ServiceTimeout,
  ServiceUnreachable,
} from "./errors";
import { pauseBefore, reachedNobody } from "./pause-before";

export interface HttpRequest {
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form, which next-auth requires. */
  form?: Record<string, string>;
  /** Whether it changes nothing, although a read with a body is no GET. */
  reads?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Creates the error for an error response. */
export type MakeApiError = (code: ErrorCode, message: string, details: ApiErrorDetails) => ApiCallError;

/** Returns the code for an error response without a code of its own. */
export const codeOf = (status: number): ErrorCode => (status >= 500 ? "unavailable" : "internal");

const plainError: MakeApiError = (code, message, details) => new ApiCallError(code, message, details);

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Returns the error for an error response. */
export function errorOfResponse({ status, headers, body }: HttpResponse, apiError = plainError): ApiCallError {
  const error = (body as { error?: Partial<ApiErrorDetails> & Record<string, unknown> } | undefined)?.error;
  const code = (textOf(error?.code) as ErrorCode | undefined) ?? codeOf(status);
  const message = textOf(error?.message) ?? `The service returned ${status}.`;
  const retryAfter = secondsOf(headers.get("retry-after") ?? "");
  return apiError(code, message, {
    status,
    param: error?.param,
    errors: error?.errors,
    reason: error?.reason,
    requestId: textOf(error?.request_id) ?? headers.get("x-request-id") ?? undefined,
    docUrl: textOf(error?.doc_url),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Returns the seconds of `Retry-After` (RFC 9110, 10.2.3), which gateways also send as a date; NaN if it is neither. */
function secondsOf(header: string): number {
  if (header.trim() === "") return Number.NaN;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000)) : seconds;
}

const isRead = (method: string, { reads }: HttpRequest) => reads || method === "GET";

/** Reports whether a repeated request takes effect only once. */
function isRepeatable(method: string, request: HttpRequest): boolean {
  return isRead(method, request) || request.headers?.["idempotency-key"] !== undefined;
}

/**
 * Reports whether a failed request may have been carried out. Only a refusal says that it was not: a service that lost
 * its database while it committed responds with 503 too.
 */
function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof ApiCallError)) return !reachedNobody(error);
  return error.status >= 500;
}

/** The settings of an `Http` that depend on its platform. */
export interface HttpSettings {
  fetch?: typeof fetch | undefined;
  /** The header `User-Agent`; not set where a browser sends its own. */
  userAgent?: string | undefined;
  /**
   * Pass `apiErrorOf` to get a class for each code. Without it, all error responses become `ApiCallError`, which is
   * less code to load.
   */
  apiError?: MakeApiError | undefined;
}

/**
 * JSON over HTTP to one service. Throws error responses as `ApiCallError`, and a missing response as
 * `ServiceUnreachable`.
 */
export class Http {
  readonly baseUrl: string;

  /** @param call limits each request and its retries */
  constructor(
    baseUrl: string,
    protected readonly settings: HttpSettings = {},
    readonly call: Call = new Call(),
    /** Whether the service has ever responded. If so, an unreachable service is probably restarting. */
    protected readonly seen: { responding: boolean } = { responding: false },
  ) {
    this.baseUrl = new URL(baseUrl).href.replace(/\/$/, "");
  }

  /** Returns the same client, with the limits of one call. */
  within(call: Call): Http {
    return new Http(this.baseUrl, this.settings, call, this.seen);
  }

  /** Sends a request. Retries it if the failure is temporary and a retry is safe: see `pauseBefore`. */
  async send(method: string, path: string, request: HttpRequest = {}): Promise<HttpResponse> {
    const { call } = this;
    const known = this.seen.responding;
    const repeatable = isRepeatable(method, request);
    const started = performance.now();
    let arrived = false;
    let lost = false;
    let happened = false;
    const noted = (error: unknown) => {
      arrived ||= !reachedNobody(error);
      happened ||= !isRead(method, request) && mayHaveHappened(error);
      if (error instanceof NoResponse) error.neverArrived = !arrived;
      if (happened && error instanceof HalcyonError) error.mayHaveHappened = true;
      return error;
    };
    for (let retries = 0; ; retries++) {
      try {
        const response = await this.sendOnce(method, path, request);
        if (response.status < 400) return response;
        throw this.errorOf(response);
      } catch (error) {
        noted(error);
        if (lost && error instanceof ApiCallError) error.afterLostResponse = true;
        lost ||= error instanceof ApiCallError ? error.status >= 500 : !reachedNobody(error);
        const elapsedMs = performance.now() - started;
        const pause = pauseBefore(error, { retries, elapsedMs, repeatable, known, maxRetries: call.maxRetries });
        if (pause === null) throw error;
        await call.pause(pause).catch((aborted: unknown) => {
          // No request is in flight during a pause.
          if (aborted instanceof NoResponse) aborted.neverArrived = true;
          throw noted(aborted);
        });
      }
    }
  }

  /** Sends a request once. Like `send`, but returns error responses. */
  async sendOnce(method: string, path: string, request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const { call } = this;
    const { fetch: fetchWith, userAgent } = this.settings;
    const headers: Record<string, string> = {
      accept: "application/json",
      ...(userAgent && { "user-agent": userAgent }),
      ...request.headers,
    };
    let body: string | undefined;
    if (request.form) {
      headers["content-type"] = "application/x-www-form-urlencoded";
      body = new URLSearchParams(request.form).toString();
    } else if (method !== "GET") {
      // The session routes accept only JSON, which a form on another site cannot send (CSRF).
      headers["content-type"] = "application/json";
      body = request.json === undefined ? undefined : JSON.stringify(request.json);
    }
    const exchange = async (signal: AbortSignal) => {
      const response = await plainFetch(fetchWith)(url, { method, headers, body, redirect: "manual", signal });
      return { response, text: await response.text() };
    };
    const { response, text } = await call
      .attempt(exchange, () => new ServiceTimeout(this.baseUrl, call.timeout))
      .catch((cause: unknown) => {
        if (cause instanceof NoResponse) throw cause;
        throw new ServiceUnreachable(
          `No Halcyon service responds at ${this.baseUrl}. Check that it runs, and the option url.`,
          { cause },
        );
      });
    // The service redirects no API call. In a browser such a response has status 0, which must not pass for success.
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw new ServiceUnreachable(
        `Something between this program and ${this.baseUrl} redirects requests. Check the address.`,
      );
    }
    const parsed = this.parse(text, response);
    this.seen.responding = true;
    const requestId = response.headers.get("x-request-id") ?? undefined;
    call.responded({ method, path: url.pathname, status: response.status, requestId });
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** Returns the error for an error response of {@link sendOnce}. */
  errorOf(response: HttpResponse): ApiCallError {
    return errorOfResponse(response, this.settings.apiError);
  }

  private parse(text: string, response: Response): unknown {
    if (text === "") return undefined;
    try {
      return JSON.parse(text);
    } catch (cause) {
      if (response.status >= 500) return undefined;
      throw new ServiceUnreachable(
        `The server at ${this.baseUrl} is not a Halcyon service (status ${response.status}, no JSON). Check the option url.`,
        { cause },
      );
    }
  }
}
