/**
 * Returns a text without what is drawn or hashed in it: long words of hexadecimal digits, in which five certain digits
 * occur once in a million places. To search it for an amount.
 */
export const withoutRandom = (text: string): string => text.replace(/(0x)?[0-9a-f]{32,}/gi, "…");
