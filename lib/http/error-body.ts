import { ApiError, type ErrorCode, type FieldError } from "@/lib/errors";

/** The one shape of every error response (docs/contract-notes.md "Transport"). */
interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    param?: string;
    errors?: FieldError[];
    reason?: ApiError["reason"];
    request_id: string;
    doc_url: string;
  };
}

/** The page that explains a code, on the service's own origin. */
export function docPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/** What the caller sees of any thrown value: an {@link ApiError} as it is, everything else as `internal`. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError("internal", "Something failed on our side. Try again; quote request_id if it persists.", {
    cause: thrown,
  });
}

/**
 * The JSON body of an error response. Lists its fields; never spreads the error.
 *
 * @param origin the service's public origin: `doc_url` works from a log or an issue, so it is absolute
 */
export function errorBody(error: ApiError, requestId: string, origin: string): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.publicMessage,
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.errors === undefined ? {} : { errors: error.errors.map(({ param, message }) => ({ param, message })) }),
      ...(error.reason === undefined ? {} : { reason: error.reason }),
      request_id: requestId,
      doc_url: `${origin}${docPath(error.code)}`,
    },
  };
}

/** Headers an error response adds to the common ones: `WWW-Authenticate` (RFC 6750) and `Retry-After` (RFC 9110). */
export function errorHeaders(error: ApiError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  return headers;
}
