const PATIENCE_MS = 2_000;

/** What a check finds, or `unreachable` when it fails or takes longer than two seconds. */
export function inTime<S extends string>(check: Promise<S>): Promise<S | "unreachable"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"unreachable">((resolve) => {
    timer = setTimeout(() => resolve("unreachable"), PATIENCE_MS);
  });
  return Promise.race([check.catch(() => "unreachable" as const), late]).finally(() => clearTimeout(timer));
}

const KEEP_MS = 500;

/** No one has to sign in to ask, so what was found serves everyone for half a second. */
export function keptBriefly<T>(look: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; found: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > KEEP_MS) latest = { at: now, found: look() };
    return latest.found;
  };
}
