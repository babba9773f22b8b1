import { HalcyonError } from "../api/errors";

/**
 * Returns one field of a document, for scripts: texts as they are, anything else as JSON. Dots separate the names of
 * nested fields and list indexes.
 *
 * @example fieldOf({ api_key: "hc_test_…" }, "api_key") // "hc_test_…"
 * @example fieldOf({ transfers: [{ status: "confirmed" }] }, "transfers.0.status") // "confirmed"
 * @throws HalcyonError `invalid_request`, which lists the existing fields and never repeats a value
 */
export function fieldOf(document: unknown, path: string): string {
  let found = document;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) throw missing(path, found);
    found = (found as Record<string, unknown>)[name];
  }
  // JSON omits undefined fields, so they count as missing.
  if (found === undefined) throw missing(path, document);
  return typeof found === "string" ? found : JSON.stringify(found);
}

function missing(path: string, at: unknown): HalcyonError {
  const names = typeof at === "object" && at !== null && !Array.isArray(at) ? Object.keys(at) : [];
  const there = names.length > 0 ? ` There are ${names.join(", ")}.` : "";
  return new HalcyonError(
    "invalid_request",
    `The result has no field ${path}.${there} The command was carried out: don't repeat it only to read its result.`,
  );
}
