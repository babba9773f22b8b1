import { scanJson } from "@/lib/base/scan-json";
import { HalcyonError } from "./errors";

const refuse = (message: string) => new HalcyonError("invalid_request", message, { param: "file" });

/**
 * Decodes a person's file. A spreadsheet's other encodings are refused: read as UTF-8, `Müller` and `Mäller` would both
 * become `M\ufffdller`.
 *
 * @throws HalcyonError `invalid_request` if it is not UTF-8
 */
export function fileText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("The file is not text in UTF-8. Save it again in this encoding: in a spreadsheet, as CSV UTF-8.");
  }
}

/**
 * Parses a person's JSON file; undefined if it is not JSON. `JSON.parse` takes the last of two fields with one name, and
 * people read the first.
 *
 * @throws HalcyonError `invalid_request` if an object has a field twice
 */
export function fileJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Its message quotes the file.
    return undefined;
  }
  const fault = scanJson(text, { depth: Infinity, values: Infinity });
  if (!fault) return value;
  throw refuse(
    `Line ${text.slice(0, fault.at).split(/\r\n|\r|\n/).length}: a field is there twice. Write each field once.`,
  );
}
