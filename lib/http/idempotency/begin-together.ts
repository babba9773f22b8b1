import type { Tx } from "@/db/client";
import { ApiError } from "@/lib/base/errors";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import { beginAttempt, type RequestAttempt, type StoredResponse } from "./begin-attempt";
import type { FingerprintedRequest } from "./fingerprint-of";

/** The exclusive right to execute several requests at once. */
interface AttemptsTogether {
  /** Stores the responses, in the order of the requests and in the transaction of the change. */
  complete(tx: Tx, responses: readonly StoredResponse[]): Promise<void>;
  /** Releases all keys. Nothing has happened. */
  abandon(): Promise<void>;
}

/**
 * Starts or repeats several requests, each with its own `Idempotency-Key`, as `beginAttempt` does one: all of them or
 * none.
 *
 * @returns the attempts to complete, or the stored responses if all requests have one
 * @throws ApiError as `beginAttempt`, naming the request; `invalid_request` for one of which some other request has made
 *   a response, or which is there twice
 */
export async function beginTogether(
  key: AuthenticatedKey,
  requests: readonly FingerprintedRequest[],
): Promise<AttemptsTogether | { responses: StoredResponse[] }> {
  const begun = await Promise.allSettled(requests.map((request) => beginAttempt(key, request)));
  const attempts: RequestAttempt[] = [];
  const stored: StoredResponse[] = [];
  const errors: unknown[] = [];
  for (const [index, one] of begun.entries()) {
    if (one.status === "rejected") errors.push(named(one.reason, index));
    else if ("complete" in one.value) attempts.push(one.value);
    else stored.push(one.value);
  }
  const abandon = async () => {
    await Promise.all(attempts.map((attempt) => attempt.abandon()));
  };
  if (attempts.length === requests.length) {
    const complete: AttemptsTogether["complete"] = async (tx, responses) => {
      for (const [index, attempt] of attempts.entries()) {
        const response = responses[index];
        if (!response) throw new Error("every request has its response");
        await attempt.complete(tx, response);
      }
    };
    return { complete, abandon };
  }
  if (stored.length === requests.length) return { responses: stored };
  await abandon();
  const [error] = errors;
  if (error) throw error;
  const index = begun.findIndex((one) => one.status === "fulfilled" && !("complete" in one.value));
  throw new ApiError("invalid_request", "This request has a response already. Send it alone.", {
    param: `payments.${index}.idempotency_key`,
  });
}

function named(error: unknown, index: number): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, publicMessage, retryAfter } = error;
  return new ApiError(code, publicMessage, { param: `payments.${index}.idempotency_key`, retryAfter });
}
