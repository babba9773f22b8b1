import { HalcyonError } from "./errors";

/**
 * An address of a server. An error does not repeat it: that of an RPC may hold a secret.
 *
 * @throws HalcyonError `invalid_request` naming the option
 */
export function httpAddress(param: string, text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  const message = `${param} is not an address that begins with "https://" or "http://".`;
  throw new HalcyonError("invalid_request", message, { param });
}
