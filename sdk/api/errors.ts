import type { ErrorCode, FieldError } from "@/lib/errors";

/** Anything the client refuses or fails at. `code` is one of the API's codes, also for what was found out locally. */
export class HalcyonError extends Error {
  override readonly name: string = "HalcyonError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The details of an error answer of the API beside code and message (docs/errors.md). */
export interface ApiErrorDetails {
  status: number;
  param?: string;
  errors?: FieldError[];
  reason?: string;
  requestId?: string;
  /** Seconds, from `Retry-After`. */
  retryAfter?: number;
}

/** An error answer of the service. Each code has a class of its own (`RateLimitedError` and so on). */
export class ApiCallError extends HalcyonError {
  override readonly name: string = "ApiCallError";
  readonly status: number;
  readonly param?: string;
  readonly errors?: FieldError[];
  readonly reason?: string;
  readonly requestId?: string;
  readonly retryAfter?: number;

  constructor(code: ErrorCode, message: string, details: ApiErrorDetails) {
    super(code, message);
    this.status = details.status;
    this.param = details.param;
    this.errors = details.errors;
    this.reason = details.reason;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

/** Nothing answers at the service's address, or what answers is something else. */
export class ServiceUnreachable extends HalcyonError {
  override readonly name = "ServiceUnreachable";
  /** Known never to have reached anybody: every try found no one listening. Browsers do not say. */
  neverArrived = false;
  constructor(message: string, options?: ErrorOptions) {
    super("unavailable", message, options);
  }
}

/** Nothing answers at the chain's RPC address. */
export class ChainUnreachable extends HalcyonError {
  override readonly name = "ChainUnreachable";
  constructor(options?: ErrorOptions) {
    super("unavailable", "The chain does not respond. Check its RPC address (--rpc, HALCYON_RPC_URL).", options);
  }
}

/** A handle or ledger is not what this machine saw at first use: somebody may be misdirecting payments. */
export class PinMismatch extends HalcyonError {
  override readonly name = "PinMismatch";
  constructor(message: string) {
    super("invalid_request", message);
  }
}
