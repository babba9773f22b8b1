import { z } from "zod";
import { ApiError, type FieldError } from "@/lib/errors";

/** Error codes for an invalid field. */
export type RefusalCode = "invalid_request" | "invalid_policy";

/** The most errors that are listed; no one reads a thousand. */
const MOST_ERRORS = 20;

/**
 * Parses a value with a schema.
 *
 * @param whole the name of the value itself, used if it is invalid as a whole: `body`, `query`
 * @param code of the error; a function if it depends on the field
 * @throws ApiError `invalid_request` (or `code`) naming each invalid field, never its value
 */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  whole: string,
  code: RefusalCode | ((param: string) => RefusalCode) = "invalid_request",
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrors(issue, whole)).slice(0, MOST_ERRORS);
  const [first] = errors;
  if (!first) throw new Error("a refused value without an issue");
  throw new ApiError(typeof code === "function" ? code(first.param) : code, first.message, {
    param: first.param,
    ...(errors.length > 1 ? { errors } : {}),
  });
}

function fieldErrors(issue: z.core.$ZodIssue, whole: string): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      param: [...path, name(key)].join("."),
      message: `This ${whole === "query" ? "query parameter" : "field"} is not known here. Remove it.`,
    }));
  }
  if (path.length === 0 && issue.code === "invalid_type") {
    return [{ param: whole, message: `Send one JSON object as the ${whole}.` }];
  }
  return [{ param: path.join(".") || whole, message: issue.message }];
}

/** Field names are the caller's own text too, so repeat only what looks like one. */
function name(key: string): string {
  return /^[A-Za-z_][\w-]{0,39}$/.test(key) ? key : "(unknown field)";
}

/** The body or query of a route that takes none. An unknown name is a mistake of the caller and is never ignored. */
export const NOTHING = z.strictObject({});

/** Parses the query with its schema; returns undefined if the route has none. */
export function readQuery<T>(schema: z.ZodType<T> | undefined, search: URLSearchParams): T | undefined {
  return schema && validate(schema, queryOf(search), "query");
}

/**
 * Returns the query as an object of texts.
 *
 * @throws ApiError `invalid_request` if a parameter occurs twice
 */
export function queryOf(parameters: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [key, value] of parameters) {
    if (Object.hasOwn(query, key)) {
      throw new ApiError("invalid_request", "Send each query parameter once.", { param: name(key) });
    }
    Object.defineProperty(query, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return query;
}
