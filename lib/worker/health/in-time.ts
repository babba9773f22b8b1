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
 * Returns a function that caches the result of `look` for half a second. Health checks need no sign-in, so frequent
 * requests must cause no load.
 */
export function keptBriefly<T>(look: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; found: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > KEEP_MS) latest = { at: now, found: look() };
    return latest.found;
  };
}
