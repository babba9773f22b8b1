const PATIENCE_MS = 2_000;

/** Resolves to the result of a check, or to `unreachable` if it fails or takes longer than two seconds. */
export function inTime<S extends string>(check: Promise<S>): Promise<S | "unreachable"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"unreachable">((resolve) => {
    timer = setTimeout(() => resolve("unreachable"), PATIENCE_MS);
  });
  return Promise.race([check.catch(() => "unreachable" as const), late]).finally(() => clearTimeout(timer));
}

const KEEP_MS = 500;

/**
 * Returns a function that caches the result of `look`, for half a second by default. Health checks need no sign-in, so
 * frequent requests must cause no load. Concurrent callers share one look.
 */
export function keptBriefly<T>(look: () => Promise<T>, keepMs = KEEP_MS): () => Promise<T> {
  let latest: { at: number; found: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > keepMs) latest = { at: now, found: look() };
    return latest.found;
  };
}
