/**
 * Every error code of the service with its HTTP status. The codes are part of the public contract
 * (docs/developer-rest-api.md, docs/contract-notes.md "Transport"); each has a section in docs/errors.md.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_policy: 400,
  unauthorized: 401,
  insufficient_balance: 402,
  kyc_required: 403,
  not_agent_owner: 403,
  policy_violation: 403,
  key_forbidden: 403,
  recipient_blocked: 403,
  not_found: 404,
  recipient_not_found: 404,
  transaction_not_found: 404,
  method_not_allowed: 405,
  transaction_expired: 409,
  handle_taken: 409,
  reference_in_use: 409,
  refund_conflict: 409,
  payment_request_closed: 409,
  idempotency_in_progress: 409,
  available_balance_changed: 409,
  sync_required: 409,
  policy_not_in_force: 409,
  schedule_changed: 409,
  run_not_payable: 409,
  recipient_not_confidential_ready: 422,
  decryption_proof_invalid: 422,
  refund_not_possible: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * The session reached its expiry. A session that is refused without this reason was ended by someone or never existed.
 */
export const SESSION_EXPIRED = "session_expired";

/** One refused field of a body or query: where it is and how to fix it. Never contains the field's value. */
export interface FieldError {
  param: string;
  message: string;
}

interface ApiErrorOptions {
  /** The one field at fault, as a dotted path. */
  param?: string;
  /** All fields at fault, if there are several. */
  errors?: FieldError[];
  /** Sent with `policy_violation`, and with `unauthorized` if the caller's session expired. */
  reason?: string;
  /** A more specific HTTP status than the code's own: 408, 413 or 415 for `invalid_request`. */
  status?: 408 | 413 | 415;
  /** Seconds after which a retry may succeed; becomes `Retry-After`. */
  retryAfter?: number;
  /** The internal reason. It is logged and never sent to the caller. */
  cause?: unknown;
}

/**
 * Reports whether a value is an instance of any copy of a class. Next.js bundles routes apart from the server, so a
 * process has several copies, and what bundles share on `globalThis` throws errors of its own copy. For the class's
 * `Symbol.hasInstance`.
 *
 * @param name the `copyOf` of the class: the same in every copy, also after names were shortened
 */
export function isCopyOf(name: string, value: unknown): boolean {
  if (typeof value !== "object") return false;
  for (let at: unknown = value; at !== null; at = Object.getPrototypeOf(at)) {
    const { constructor: copy } = at as { constructor?: unknown };
    if (typeof copy === "function" && Object.hasOwn(copy, "copyOf") && Reflect.get(copy, "copyOf") === name)
      return true;
  }
  return false;
}

/**
 * An error meant for the caller. `publicMessage` says what to do next and never contains an amount, a memo or a secret;
 * everything else about the failure belongs in `cause`.
 *
 * @example throw new ApiError("recipient_not_found", "No account has this handle. Check the spelling.", { param: "to"
 *   });
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly param?: string;
  readonly errors?: FieldError[];
  readonly reason?: string;
  readonly status: number;
  readonly retryAfter?: number;

  static readonly copyOf: string = "ApiError";
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isCopyOf("ApiError", value);
  }

  constructor(code: ErrorCode, publicMessage: string, options: ApiErrorOptions = {}) {
    super(`${code}: ${publicMessage}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.publicMessage = publicMessage;
    this.param = options.param;
    this.errors = options.errors;
    this.reason = options.reason;
    this.status = options.status ?? ERROR_STATUS[code];
    this.retryAfter = options.retryAfter;
  }
}
