import { utf8 } from "./crypto/bytes";

/** Line ends, marks that turn the direction of writing and other invisible characters. A name must look like itself. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** Whether a text has the one form in which people may rely on it: NFC, one line, no space around it. */
export function isLine(text: string, mostBytes: number): boolean {
  return text === text.normalize("NFC").trim() && !UNPRINTABLE.test(text) && utf8(text).length <= mostBytes;
}

/** As {@link isLine}, of several lines. */
export function isText(text: string, mostBytes: number): boolean {
  return (
    text === text.normalize("NFC").trim() &&
    !UNPRINTABLE.test(text.replaceAll("\n", "")) &&
    utf8(text).length <= mostBytes
  );
}
