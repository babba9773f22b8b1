import { utf8 } from "./crypto/bytes";

/**
 * Line ends, marks that change the direction of writing, and other invisible characters. A name must look like what it
 * is.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/**
 * Reports whether a text is in its canonical form: NFC, one line, no surrounding space, at most `mostBytes` of UTF-8.
 */
export function isLine(text: string, mostBytes: number): boolean {
  return text === text.normalize("NFC").trim() && !UNPRINTABLE.test(text) && utf8(text).length <= mostBytes;
}

/** Does the same as {@link isLine}, but allows several lines. */
export function isText(text: string, mostBytes: number): boolean {
  return (
    text === text.normalize("NFC").trim() &&
    !UNPRINTABLE.test(text.replaceAll("\n", "")) &&
    utf8(text).length <= mostBytes
  );
}

/** The most characters of a payment's reference. */
export const REFERENCE_LENGTH = 64;

// What is not drawn. Marks that choose between a text's and a picture's form of a character stay.
const NOT_DRAWN = /(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;

/** Returns a reference as it is stored and compared, so that what looks the same is the same: NFC, no surrounding space. */
export const normalReference = (text: string): string => text.normalize("NFC").trim();

/** Reports whether a normal reference can be taken: one line of 1 to 64 characters, none of them invisible. */
export function isReference(text: string): boolean {
  const length = [...text].length;
  return length > 0 && length <= REFERENCE_LENGTH && isLine(text, 4 * REFERENCE_LENGTH) && !NOT_DRAWN.test(text);
}
