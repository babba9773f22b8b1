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
