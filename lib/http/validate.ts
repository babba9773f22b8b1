import { z } from "zod";
import { ApiError, type FieldError } from "@/lib/base/errors";

/** Error codes for an invalid field. */
export type RefusalCode = "invalid_request" | "invalid_policy";

/** The most errors that are listed; no one reads a thousand. */
const MOST_ERRORS = 20;

/** The number of faults found so far by each parse, which Zod identifies by its context. */
const found = new WeakMap<object, number>();
const stopping = new WeakSet<z.core.$ZodType>();

/**
 * Makes lists in a schema stop at the first {@link MOST_ERRORS} faulty elements. Zod would describe what is wrong with
 * each of 5,000 rows, which costs more than reading them. Returns the schema.
 */
export function stopEarly<T extends z.ZodType>(schema: T): T {
  visit(schema);
  return schema;
}

function visit(schema: z.core.$ZodType): void {
  if (stopping.has(schema)) return;
  stopping.add(schema);
  for (const part of Object.values(schema._zod.def).flatMap(partsOf)) visit(part);
  const { element } = schema._zod.def as { element?: z.core.$ZodType };
  if (!element) return;
  const { run } = element._zod;
  element._zod.run = (payload, context) => {
    if ((found.get(context) ?? 0) >= MOST_ERRORS) return payload;
    const result = run(payload, context);
    if (result instanceof Promise) return result;
    if (result.issues.length > 0) found.set(context, (found.get(context) ?? 0) + result.issues.length);
    return result;
  };
}

/** Returns the schemas in a part of a schema's definition, such as its element, its fields or its options. */
function partsOf(part: unknown): z.core.$ZodType[] {
  if (typeof part !== "object" || part === null) return [];
  if ("_zod" in part) return [part as z.core.$ZodType];
  return Object.values(part).filter((each) => typeof each === "object" && each !== null && "_zod" in each);
}

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
