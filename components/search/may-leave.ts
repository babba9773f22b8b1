/*
 * What of a typed text may leave this browser. Memos, amounts and names are looked for here alone: all that is sent is a
 * complete id, which the service has handed out itself, and what a person chooses to have looked up.
 */

const ID = /^[a-z]{2,6}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const PART_OF_ID = /^[a-z]{2,6}_[0-9A-Z]*$/;
const PERSON = /^@[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9](\/[A-Za-z0-9_-]{1,32})?$|^0x[0-9a-fA-F]{40}$/;
const AMOUNT = /^[$€£+−-]?[\d.,']+(usdg|usd|eth)?$/i;

/** The id that a text is; looked up as soon as it is complete. */
export function idIn(text: string): string | undefined {
  const bare = text.trim();
  return ID.test(bare) ? bare : undefined;
}

/** The handle or address that a text is; looked up when it is chosen. */
export function personIn(text: string): string | undefined {
  const bare = text.trim();
  return PERSON.test(bare) ? bare : undefined;
}

/**
 * The reference that a text could be; looked up when it is chosen. One word with a letter and a digit, as the number of
 * an order or an invoice has: nothing that reads as an amount or as words of a memo.
 */
export function referenceIn(text: string): string | undefined {
  const bare = text.trim();
  const isOne = bare.length >= 3 && bare.length <= 64 && !/\s/.test(bare) && /\p{L}/u.test(bare) && /\d/.test(bare);
  return isOne && ![AMOUNT, PART_OF_ID, PERSON].some((other) => other.test(bare)) ? bare : undefined;
}
