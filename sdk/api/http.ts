import type { ErrorCode } from "@/lib/errors";
import { Call } from "./call";
import { ApiCallError, type ApiErrorDetails, NoResponse, ServiceTimeout, ServiceUnreachable } from "./errors";
import { pauseBefore, reachedNobody } from "./pause-before";

export interface HttpRequest {
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form (next-auth wants one). */
  form?: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** How an error response is made an error. */
export type MakeApiError = (code: ErrorCode, message: string, details: ApiErrorDetails) => ApiCallError;

/** The code of an error response that names none of ours. */
export const codeOf = (status: number): ErrorCode => (status >= 500 ? "unavailable" : "internal");

const plainError: MakeApiError = (code, message, details) => new ApiCallError(code, message, details);

function errorOf(status: number, headers: Headers, body: unknown, apiError = plainError): ApiCallError {
  const error = (body as { error?: Partial<ApiErrorDetails> & Record<string, unknown> } | undefined)?.error;
  const code = typeof error?.code === "string" ? (error.code as ErrorCode) : codeOf(status);
  const message = typeof error?.message === "string" ? error.message : `The service returned ${status}.`;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return apiError(code, message, {
    status,
    param: error?.param,
    errors: error?.errors,
    reason: error?.reason,
    requestId: typeof error?.request_id === "string" ? error.request_id : (headers.get("x-request-id") ?? undefined),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Whether the service does once what is asked of it twice. */
function isRepeatable(method: string, { headers }: HttpRequest): boolean {
  return method === "GET" || headers?.["idempotency-key"] !== undefined;
}

/** What an `Http` has from its platform. */
export interface HttpSettings {
  fetch?: typeof fetch | undefined;
  /** The header `User-Agent`; none where a browser sends its own. */
  userAgent?: string | undefined;
  /** `apiErrorOf` for a class of each code; without it all are `ApiCallError`, which is less to load. */
  apiError?: MakeApiError | undefined;
}

/** JSON over HTTP to one service. Error responses are thrown as `ApiCallError`, silence as `ServiceUnreachable`. */
export class Http {
  readonly baseUrl: string;

  /** @param call bounds each request and how often it is repeated */
  constructor(
    baseUrl: string,
    protected readonly settings: HttpSettings = {},
    readonly call: Call = new Call(),
    /** Whether it has ever responded: one that is away then is being restarted. */
    protected readonly seen: { responding: boolean } = { responding: false },
  ) {
    this.baseUrl = new URL(baseUrl).href.replace(/\/$/, "");
  }

  /** The same service, for one call. */
  within(call: Call): Http {
    return new Http(this.baseUrl, this.settings, call, this.seen);
  }

  /** Sends a request, and again when it failed in passing and may be repeated: see `pauseBefore`. */
  async send(method: string, path: string, request: HttpRequest = {}): Promise<HttpResponse> {
    const { call } = this;
    const known = this.seen.responding;
    const repeatable = isRepeatable(method, request);
    const started = performance.now();
    let arrived = false;
    let lost = false;
    const noted = (error: unknown) => {
      arrived ||= !reachedNobody(error);
      if (error instanceof NoResponse) error.neverArrived = !arrived;
      return error;
    };
    for (let retries = 0; ; retries++) {
      try {
        const response = await this.sendOnce(method, path, request);
        if (response.status < 400) return response;
        throw errorOf(response.status, response.headers, response.body, this.settings.apiError);
      } catch (error) {
        noted(error);
        if (lost && error instanceof ApiCallError) error.afterLostResponse = true;
        lost ||= error instanceof ApiCallError ? error.status >= 500 : !reachedNobody(error);
        const elapsedMs = performance.now() - started;
        const pause = pauseBefore(error, { retries, elapsedMs, repeatable, known, maxRetries: call.maxRetries });
        if (pause === null) throw error;
        await call.pause(pause).catch((aborted: unknown) => {
          // Nothing is on its way during a pause.
          if (aborted instanceof NoResponse) aborted.neverArrived = true;
          throw noted(aborted);
        });
      }
    }
  }

  /** As `send`, but error responses are returned. */
  async sendOnce(method: string, path: string, request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const { call } = this;
    const { fetch: fetchWith = globalThis.fetch, userAgent } = this.settings;
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
      // The session routes take nothing else: a form of another site cannot send it (CSRF).
      headers["content-type"] = "application/json";
      body = request.json === undefined ? undefined : JSON.stringify(request.json);
    }
    const exchange = async (signal: AbortSignal) => {
      // Called bare: a browser's fetch refuses to be a method of anything but its own global object.
      const response = await fetchWith(url, { method, headers, body, redirect: "manual", signal });
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
    const parsed = this.parse(text, response);
    this.seen.responding = true;
    const requestId = response.headers.get("x-request-id") ?? undefined;
    call.responded({ method, path: url.pathname, status: response.status, requestId });
    return { status: response.status, headers: response.headers, body: parsed };
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
