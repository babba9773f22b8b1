/*
 * What of a typed text may leave this browser. Memos, amounts and names are only searched locally. The service gets
 * nothing but complete ids, which it issued itself, and what the person explicitly looks up.
 */

const ID = /^[a-z]{2,6}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const PART_OF_ID = /^[a-z]{2,6}_[0-9A-Z]*$/;
const PERSON = /^@[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9](\/[A-Za-z0-9_-]{1,32})?$|^0x[0-9a-fA-F]{40}$/;
const AMOUNT = /^[$€£+−-]?[\d.,']+(usdg|usd|eth)?$/i;

/** Returns the text if it is an id. Looked up as soon as it is complete. */
export function idIn(text: string): string | undefined {
  const bare = text.trim();
  return ID.test(bare) ? bare : undefined;
}

/** Returns the text if it is a handle or address. Looked up only when chosen. */
export function personIn(text: string): string | undefined {
  const bare = text.trim();
  return PERSON.test(bare) ? bare : undefined;
}

/**
 * Returns the text if it could be a reference. Looked up only when chosen. One word with a letter and a digit, like an
 * order or invoice number; nothing that could be an amount or a memo.
 */
export function referenceIn(text: string): string | undefined {
  const bare = text.trim();
  const isOne = bare.length >= 3 && bare.length <= 64 && !/\s/.test(bare) && /\p{L}/u.test(bare) && /\d/.test(bare);
  return isOne && ![AMOUNT, PART_OF_ID, PERSON].some((other) => other.test(bare)) ? bare : undefined;
}
