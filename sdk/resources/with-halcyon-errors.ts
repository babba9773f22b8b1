import { asApiError } from "../api/api-errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import { Resource } from "./resource";

type Fail = (thrown: unknown) => never;

async function* guardedEntries(entries: () => AsyncIterator<unknown>, fail: Fail): AsyncGenerator<unknown> {
  try {
    yield* { [Symbol.asyncIterator]: entries };
  } catch (error) {
    fail(error);
  }
}

/** Returns the promise, and for a list its iterator too, so that either fails only with a `HalcyonError`. */
function resultWithHalcyonErrors(
  result: Promise<unknown>,
  entries: (() => AsyncIterator<unknown>) | undefined,
  fail: Fail,
): Promise<unknown> {
  const promise = result.catch(fail);
  if (!entries) return promise;
  const iterate = () => {
    // The iteration reports the error, so don't report the promise's rejection as unhandled.
    promise.catch(() => {});
    return guardedEntries(entries, fail);
  };
  return Object.assign(promise, { [Symbol.asyncIterator]: iterate });
}

/**
 * Wraps a part of the client so that its methods throw only `HalcyonError`s, and never synchronously: refused input
 * becomes a rejected promise or, when the caller iterates, a failed iteration.
 */
export function withHalcyonErrors<T extends Resource>(resource: T): T {
  const fail: Fail = (thrown) => {
    throw asApiError(toHalcyonError(thrown), Resource.serviceOf(resource));
  };
  return new Proxy(resource, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "constructor") return member;
      return (...input: unknown[]) => {
        try {
          const result: Promise<unknown> & Partial<AsyncIterable<unknown>> = member.apply(target, input);
          return resultWithHalcyonErrors(result, result[Symbol.asyncIterator]?.bind(result), fail);
        } catch (error) {
          const refused = Promise.reject(error);
          return resultWithHalcyonErrors(refused, () => ({ next: () => refused }), fail);
        }
      };
    },
  });
}
