import { HalcyonError } from "./errors";

const KINDS = {
  text: { is: (value: unknown) => typeof value === "string", says: "is a text" },
  amount: {
    is: (value: unknown) => typeof value === "string",
    says: 'is a decimal number as a text, such as "25.50"',
  },
  flag: { is: (value: unknown) => typeof value === "boolean", says: "is true or false" },
  count: {
    is: (value: unknown) => Number.isInteger(value) && (value as number) >= 0,
    says: "is a whole number, 0 or more",
  },
  block: {
    is: (value: unknown) => typeof value === "bigint" && value >= 0n,
    says: "is a block number as a bigint, such as 0n",
  },
  texts: {
    is: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string"),
    says: "is a list of texts",
  },
  time: {
    is: (value: unknown) => isoTime(value) !== undefined,
    says: 'is a Date, or a time as a text such as "2026-01-31T12:00:00Z"',
  },
  function: { is: (value: unknown) => typeof value === "function", says: "is a function" },
  object: { is: (value: unknown) => typeof value === "object" && value !== null, says: "is an object" },
} as const;

type Kind = keyof typeof KINDS;

/** The fields of an input and the kind of each. Kinds that end in `!` are required. */
export type FieldsOf<Input> = { readonly [Name in keyof Input]-?: Kind | `${Kind}!` };

/** Names of options, which callers may put into the input by mistake, where they would have no effect. */
const OPTIONS = [
  "timeout",
  "signal",
  "maxRetries",
  "waitTimeout",
  "onResponse",
  "idempotencyKey",
  "wait",
  "pending",
  "onPending",
];

function refuse(param: string, message: string): never {
  throw new HalcyonError("invalid_request", message, { param });
}

/**
 * Returns a time as ISO 8601 in UTC, or undefined if it isn't a time. A text needs a date; without a zone it is local
 * time.
 */
function isoTime(value: unknown): string | undefined {
  const date = value instanceof Date ? value : new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Formats a time from checked input for the API. */
export function timeText(value: Date | string | undefined): string | undefined {
  return value === undefined ? undefined : isoTime(value);
}

/**
 * Refuses an argument that is not a non-empty text, for example an undefined id.
 *
 * @throws HalcyonError `invalid_request`
 */
export function checkText(param: string, value: unknown): void {
  if (!KINDS.text.is(value) || value === "") refuse(param, `${param} is a text that is not empty.`);
}

/**
 * Checks the fields of an input before anything is sent. Unknown fields are refused too: a misspelled name, or an
 * idempotency key in the wrong place, must not be ignored.
 *
 * @throws HalcyonError `invalid_request` naming the field
 */
export function checkInput<Input extends object>(input: Input, fields: FieldsOf<Input>): void {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new HalcyonError("invalid_request", "Pass the input as an object.", { param: "input" });
  }
  const given = input as Readonly<Record<string, unknown>>;
  for (const [name, rule] of Object.entries<string>(fields)) {
    const { is, says } = KINDS[rule.replace("!", "") as Kind];
    const value = given[name];
    if (value === undefined) {
      if (rule.endsWith("!")) refuse(name, `${name} is missing: it ${says}.`);
    } else if (!is(value)) refuse(name, `${name} ${says}.`);
  }
  for (const name of Object.keys(given)) {
    if (given[name] === undefined || Object.hasOwn(fields, name)) continue;
    if (OPTIONS.includes(name)) refuse(name, `${name} is an option of the call: pass it in the last argument.`);
    refuse(name, `There is no field ${name} here. Use: ${Object.keys(fields).join(", ")}.`);
  }
}
