import type { ErrorCode, FieldError } from "@/lib/errors";

/**
 * The code of an error: one of the API's, also for what was found out on this machine, or one of three that the API has not.
 * `outcome_unknown`: money may have moved, so a program must not repeat the call as a new one. `transfer_failed`: the transfer
 * failed and no money moved. `aborted`: your `signal` ended the call.
 */
export type HalcyonErrorCode = ErrorCode | "outcome_unknown" | "transfer_failed" | "aborted";

/** The details of an error response of the API beside code and message (docs/errors.md). */
export interface ApiErrorDetails {
  status: number;
  param?: string | undefined;
  errors?: FieldError[] | undefined;
  reason?: string | undefined;
  requestId?: string | undefined;
  /** Seconds, from `Retry-After`. */
  retryAfter?: number | undefined;
}

/** Anything the client refuses or fails at. Everything that this package throws is one. */
export class HalcyonError extends Error {
  override readonly name: string = "HalcyonError";
  /** HTTP status, where the service sent an error response. */
  declare readonly status?: number;
  /** The field or option at fault. */
  declare readonly param?: string;
  /** All fields at fault, when there are several. */
  declare readonly errors?: FieldError[];
  /** With `policy_violation`: the rule that refused. */
  declare readonly reason?: string;
  /** Identifies the request that failed: quote it when you ask for help. */
  declare readonly requestId?: string;
  /** Seconds after which the request may succeed. */
  declare readonly retryAfter?: number;

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

/** Of an error that goes into another one: what identifies the response. */
export function detailsOf({ status, param, errors, reason, requestId, retryAfter }: HalcyonError) {
  return { status, param, errors, reason, requestId, retryAfter };
}

/** An error response of the service. Each code has a class of its own (`RateLimitedError` and so on). */
export class ApiCallError extends HalcyonError {
  override readonly name: string = "ApiCallError";
  declare readonly status: number;
  /** An earlier try of the same request got no response: this one may say nothing about it. */
  declare afterLostResponse?: boolean;

  constructor(code: HalcyonErrorCode, message: string, details: ApiErrorDetails) {
    super(code, message, details);
  }
}

/** A request without a response. */
export class NoResponse extends HalcyonError {
  /** Known never to have reached anyone: nothing was sent, or no server was listening at any try. Browsers do not say. */
  neverArrived = false;
}

/** Nothing responds at the service's address, or what responds is something else. */
export class ServiceUnreachable extends NoResponse {
  override readonly name: string = "ServiceUnreachable";
  constructor(message: string, options?: ErrorOptions) {
    super("unavailable", message, { ...options, param: "url" });
  }
}

/** The service did not respond in time. What was sent may have been carried out. */
export class ServiceTimeout extends ServiceUnreachable {
  override readonly name = "ServiceTimeout";
  constructor(
    baseUrl: string,
    /** Milliseconds. */
    readonly timeout: number,
  ) {
    super(`The service at ${baseUrl} did not respond within ${timeout / 1000} seconds (option timeout).`);
  }
}

/** Nothing responds at the chain's RPC address, or not in time. The address may hold a secret, so it is not named. */
export class ChainUnreachable extends HalcyonError {
  override readonly name = "ChainUnreachable";
  constructor(message = "The chain does not respond. Check the RPC address (option rpcUrl).") {
    super("unavailable", message, { param: "rpcUrl" });
  }
}
