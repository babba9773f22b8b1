const MIN_LENGTH = 3;
const MAX_LENGTH = 63;
/** Checked before lower-casing, because lower-casing turns some look-alikes (the Kelvin sign) into ASCII letters. */
const ALPHABET = /^[A-Za-z0-9._-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;

/**
 * Returns a handle as it is stored, in lower case and without `@`, or null if the text is not a valid handle. A handle
 * has 3 to 63 characters of `a-z 0-9 - _` and starts and ends with a letter or digit. With dots, each label follows the
 * same rule. Only ASCII is allowed: a name in another script, or an internationalized label (`xn--`, RFC 5890)
 * displayed as one, could be mistaken for someone else's.
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

/** Reports whether a stored handle is a domain name. Its owner proves the right to it through DNS. */
export function isDomainHandle(handle: string): boolean {
  return handle.includes(".");
}

/** Returns an agent's handle as it is stored, `owner/name`, or null if the text is not a valid agent handle. */
export function normaliseAgentHandle(text: string): string | null {
  const [owner, name, ...rest] = text.split("/");
  if (owner === undefined || name === undefined || rest.length > 0) return null;
  const ownerHandle = normaliseHandle(owner);
  if (ownerHandle === null || !/^[A-Za-z0-9_-]{1,32}$/.test(name)) return null;
  return `${ownerHandle}/${name.toLowerCase()}`;
}
