import type postgres from "postgres";

/** The object id of `text[]` (pg_type.dat). */
const TEXT_ARRAY = 1009;

/**
 * The array types that statements and columns use. Pass arrays of another type as text and cast them in the statement:
 * `any(${hashes}::text[]::bytea[])`.
 */
export const ARRAY_TYPES = {
  textArray: {
    to: TEXT_ARRAY,
    from: [TEXT_ARRAY],
    // Drizzle formats arrays itself.
    serialize: (value: unknown) => (Array.isArray(value) ? formatArray(value) : value),
    parse: parseArray,
  },
} satisfies Record<string, postgres.PostgresType>;

/** Formats a one-dimensional array in the syntax of https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO. */
function formatArray(elements: readonly (string | null)[]): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  return `{${elements.map((element) => (element === null ? "NULL" : quoted(element))).join()}}`;
}

function parseArray(text: string): (string | null)[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^",{}]+)/gs)].map(([, quoted, bare]) =>
    bare === "NULL" ? null : (bare ?? (quoted ?? "").replace(/\\(.)/gs, "$1")),
  );
}
