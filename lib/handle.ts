import { ApiError } from "./errors";

const MIN_LENGTH = 3;
const MAX_LENGTH = 63;
/** Letters of either case: lower-casing first would turn look-alikes (the Kelvin sign) into ASCII. */
const ALPHABET = /^[A-Za-z0-9._-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;

/**
 * The handle as it is stored: lower case, without `@`; null when the text is none. 3 to 63 of `a-z 0-9 - _`,
 * alphanumeric at both ends; with dots each label keeps that rule. Only ASCII: a name in another script, or an
 * internationalised label (`xn--`, RFC 5890) that is shown as one, would look like someone else's.
 *
 * @example normaliseHandle("@Alice") // "alice"
 */
export function normaliseHandle(text: string): string | null {
  const name = text.startsWith("@") ? text.slice(1) : text;
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH || !ALPHABET.test(name)) return null;
  const handle = name.toLowerCase();
  const labels = handle.split(".");
  return labels.every((label) => LABEL.test(label) && !label.startsWith("xn--")) ? handle : null;
}

/** Whether a stored handle is a domain's: its right is shown by DNS. */
export function isDomainHandle(handle: string): boolean {
  return handle.includes(".");
}

/** An agent's handle as it is stored, `owner/name`; null when the text is none. */
export function normaliseAgentHandle(text: string): string | null {
  const [owner, name, ...rest] = text.split("/");
  if (owner === undefined || name === undefined || rest.length > 0) return null;
  const ownerHandle = normaliseHandle(owner);
  if (ownerHandle === null || !/^[A-Za-z0-9_-]{1,32}$/.test(name)) return null;
  return `${ownerHandle}/${name.toLowerCase()}`;
}

/** As {@link normaliseHandle}; throws `invalid_request` naming the rule. */
export function requireHandle(text: string): string {
  const handle = normaliseHandle(text);
  if (handle !== null) return handle;
  throw new ApiError(
    "invalid_request",
    "A handle has 3 to 63 of the letters a-z, digits, - and _, with a letter or digit at both ends; a domain's has dots.",
    { param: "handle" },
  );
}
