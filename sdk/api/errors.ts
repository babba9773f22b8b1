import type { ErrorCode, FieldError } from "@/lib/base/errors";

/**
 * The code of an error: one of the API's codes, which errors detected on this machine use too, or one of three that the
 * API doesn't have. `outcome_unknown`: money may have moved, so a program must not repeat the call as a new one.
 * `transfer_failed`: the transfer failed and no money moved. `aborted`: the `signal` of the call or its client aborted
 * it before a payment was sent. Anything else may have been changed (`mayHaveHappened`).
 */
export type HalcyonErrorCode = ErrorCode | "outcome_unknown" | "transfer_failed" | "aborted";

/** The details of an API error response besides code and message (docs/errors.md). */
export interface ApiErrorDetails {
  status: number;
  param?: string | undefined;
  errors?: FieldError[] | undefined;
  reason?: string | undefined;
  requestId?: string | undefined;
  docUrl?: string | undefined;
  /** Seconds, from the header `Retry-After`. */
  retryAfter?: number | undefined;
}

/** The base class of all errors that this package throws. */
export class HalcyonError extends Error {
  override readonly name: string = "HalcyonError";
  /** HTTP status, if the service sent an error response. */
  declare readonly status?: number;
  /** The invalid field or option. */
  declare readonly param?: string;
  /** All invalid fields, if there are several. */
  declare readonly errors?: FieldError[];
  /** With `policy_violation`: the rule that refused the payment. */
  declare readonly reason?: string;
  /** Identifies the failed request. Quote it when you ask for help. */
  declare readonly requestId?: string;
  /** The page that explains the error. */
  declare readonly docUrl?: string;
  /** Seconds after which the request may succeed. */
  declare readonly retryAfter?: number;
  /**
   * True when a request that changes something may have been carried out although it failed: its response was lost, or
   * comes from a proxy, or the service failed inside, or what it created could not be verified.
   */
  declare mayHaveHappened?: boolean;
  /**
   * Set when the service has what was signed, and failed or refused to put it on the ledger: it can still do so until
   * then (ISO 8601, UTC).
   */
  declare mayHappenUntil?: string;

  constructor(
    readonly code: HalcyonErrorCode,
    message: string,
    { cause, ...details }: ErrorOptions & Partial<ApiErrorDetails> = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of Object.entries(details)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true });
    }
  }
}

/** Returns the details of an error that identify the response, to copy them into another error. */
export function errorDetails({ status, param, errors, reason, requestId, docUrl, retryAfter }: HalcyonError) {
  return { status, param, errors, reason, requestId, docUrl, retryAfter };
}

/**
 * A response can't be read: a field of it is missing, or has another form than this client knows. What a caller passes
 * is checked before, so it comes from the service or from the chain's node, or this client is wrong.
 */
export class UnreadableResponse extends HalcyonError {
  override readonly name = "UnreadableResponse";
  constructor(cause: Error) {
    super(
      "unavailable",
      "A response of the service or the chain's RPC can't be read: a field is missing or malformed. Update this client.",
      { cause },
    );
  }
}

/** An error response of the service. It is also an instance of its code's class (`RateLimitedError` and so on). */
export class ApiCallError extends HalcyonError {
  override readonly name: string = "ApiCallError";
  declare readonly status: number;
  /** True when an earlier try of the same request got no response. This error then may say nothing about that try. */
  declare afterLostResponse?: boolean;

  constructor(code: HalcyonErrorCode, message: string, details: ApiErrorDetails) {
    super(code, message, details);
  }
}

/** A request that got no response. */
export class NoResponse extends HalcyonError {
  /**
   * True when the request certainly reached no server: nothing was sent, or no server was listening at any try. Always
   * false in browsers, which don't say.
   */
  neverArrived = false;
}

/** Nothing responds at the service's address, or another kind of server does. */
export class ServiceUnreachable extends NoResponse {
  override readonly name: string = "ServiceUnreachable";
  constructor(message: string, options?: ErrorOptions) {
    super("unavailable", message, { ...options, param: "url" });
  }
}

/** The service did not respond in time. It may have carried out the request. */
export class ServiceTimeout extends ServiceUnreachable {
  override readonly name = "ServiceTimeout";
  constructor(
    baseUrl: string,
    /** The timeout in milliseconds. */
    readonly timeout: number,
  ) {
    super(`The service at ${baseUrl} did not respond within ${timeout / 1000} seconds (option timeout).`);
  }
}

/**
 * The chain's RPC does not respond, or not in time. The message doesn't contain the address, which may include a
 * secret.
 */
export class ChainUnreachable extends HalcyonError {
  override readonly name = "ChainUnreachable";
  constructor(message = "The chain does not respond. Check the RPC address (option rpcUrl).") {
    super("unavailable", message, { param: "rpcUrl" });
  }
}
