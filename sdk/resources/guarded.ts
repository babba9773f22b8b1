import { toHalcyonError } from "../api/to-halcyon-error";

async function* guardedEntries(entries: () => AsyncIterator<unknown>): AsyncGenerator<unknown> {
  try {
    yield* { [Symbol.asyncIterator]: entries };
  } catch (error) {
    throw toHalcyonError(error);
  }
}

/** A promise, and where it is a list what iterates it, that fails with a `HalcyonError` alone. */
function guardedResult(
  result: Promise<unknown>,
  entries: (() => AsyncIterator<unknown>) | undefined,
): Promise<unknown> {
  const promise = result.catch((error: unknown) => {
    throw toHalcyonError(error);
  });
  if (!entries) return promise;
  const iterate = () => {
    // Iterated, it throws there.
    promise.catch(() => {});
    return guardedEntries(entries);
  };
  return Object.assign(promise, { [Symbol.asyncIterator]: iterate });
}

/**
 * A part of the client, each of whose methods throws nothing but `HalcyonError`s, and never at once: what it refuses is a
 * rejected promise or, iterated, a failed iteration.
 */
export function guarded<T extends object>(resource: T): T {
  return new Proxy(resource, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "constructor") return member;
      return (...input: unknown[]) => {
        try {
          const result: Promise<unknown> & Partial<AsyncIterable<unknown>> = member.apply(target, input);
          return guardedResult(result, result[Symbol.asyncIterator]?.bind(result));
        } catch (error) {
          const refused = Promise.reject(error);
          return guardedResult(refused, () => ({ next: () => refused }));
        }
      };
    },
  });
}
