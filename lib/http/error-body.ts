import { ApiError, type ErrorCode, type FieldError } from "@/lib/base/errors";

/** The format of every error response (docs/contract-notes.md "Transport"). */
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

/** Returns the path of the page that explains a code, on the service's own origin. */
export function docPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/**
 * Returns the error that the caller sees for any thrown value: an {@link ApiError} unchanged, everything else as
 * `internal`.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError("internal", "Something failed on our side. Try again; quote request_id if it persists.", {
    cause: thrown,
  });
}

/**
 * Returns the JSON body of an error response. Lists its fields; never spreads the error.
 *
 * @param origin the service's public origin. It makes `doc_url` absolute, so that it also works from a log or an issue.
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

/** Returns the additional headers of an error response: `WWW-Authenticate` (RFC 6750) and `Retry-After` (RFC 9110). */
export function errorHeaders(error: ApiError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  return headers;
}
