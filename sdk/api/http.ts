import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { API_ERRORS } from "./api-errors";
import { type ApiCallError, type ApiErrorDetails, ServiceUnreachable } from "./errors";
import { pauseBefore, reachedNobody } from "./retry";

export interface HttpRequest {
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form (next-auth wants one). */
  form?: Record<string, string>;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

function errorOf(status: number, headers: Headers, body: unknown): ApiCallError {
  const error = (body as { error?: Partial<ApiErrorDetails> & Record<string, unknown> } | undefined)?.error;
  const known = typeof error?.code === "string" && error.code in ERROR_STATUS;
  const code = known ? (error.code as ErrorCode) : status >= 500 ? "unavailable" : "internal";
  const message = typeof error?.message === "string" ? error.message : `The service returned ${status}.`;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new API_ERRORS[code](message, {
    status,
    param: error?.param,
    errors: error?.errors,
    reason: error?.reason,
    requestId: typeof error?.request_id === "string" ? error.request_id : undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Whether the service does once what is asked of it twice. */
function isRepeatable(method: string, { headers }: HttpRequest): boolean {
  return method === "GET" || headers?.["idempotency-key"] !== undefined;
}

/** JSON over HTTP to one service. Error answers are thrown as `ApiCallError`, silence as `ServiceUnreachable`. */
export class Http {
  readonly baseUrl: string;
  private readonly fetch: typeof fetch;
  /** Whether it has ever answered: one that is away then is being restarted. */
  private known = false;

  /** @param maxRetries how often a request is repeated at most; as often as `pauseBefore` says when left out */
  constructor(
    baseUrl: string,
    fetchWith: typeof fetch = globalThis.fetch,
    private readonly maxRetries?: number,
  ) {
    this.baseUrl = new URL(baseUrl).href.replace(/\/$/, "");
    // A browser's fetch refuses to be called as a method of anything but its own global object.
    this.fetch = (input, init) => fetchWith(input, init);
  }

  /** Sends a request, and again when it failed in passing and may be repeated: see `pauseBefore`. */
  async send(method: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    const { known, maxRetries } = this;
    const repeatable = isRepeatable(method, request);
    const started = performance.now();
    let arrived = false;
    for (let retries = 0; ; retries++) {
      try {
        const answer = await this.sendOnce(method, path, request);
        if (answer.status < 400) return answer;
        throw errorOf(answer.status, answer.headers, answer.body);
      } catch (error) {
        const elapsedMs = performance.now() - started;
        const pause = pauseBefore(error, { retries, elapsedMs, repeatable, known, maxRetries });
        arrived ||= !reachedNobody(error);
        if (error instanceof ServiceUnreachable) error.neverArrived = !arrived;
        if (pause === null) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** As `send`, but error answers are returned. */
  async sendOnce(method: string, path: string, request: HttpRequest): Promise<HttpAnswer> {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: "application/json", ...request.headers };
    let body: string | undefined;
    if (request.form) {
      headers["content-type"] = "application/x-www-form-urlencoded";
      body = new URLSearchParams(request.form).toString();
    } else if (method !== "GET") {
      // The session routes take nothing else: a form of another site cannot send it (CSRF).
      headers["content-type"] = "application/json";
      body = request.json === undefined ? undefined : JSON.stringify(request.json);
    }
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(url, { method, headers, body, redirect: "manual" });
      text = await response.text();
    } catch (cause) {
      throw new ServiceUnreachable(
        `No Halcyon service responds at ${this.baseUrl}. Start it with "npm start", or name another with --url or HALCYON_URL.`,
        { cause },
      );
    }
    const parsed = this.parse(text, response);
    this.known = true;
    return { status: response.status, headers: response.headers, body: parsed };
  }

  private parse(text: string, response: Response): unknown {
    if (text === "") return undefined;
    try {
      return JSON.parse(text);
    } catch (cause) {
      if (response.status >= 500) return undefined;
      throw new ServiceUnreachable(
        `The server at ${this.baseUrl} is not a Halcyon service (status ${response.status}, no JSON). Check --url.`,
        { cause },
      );
    }
  }
}
