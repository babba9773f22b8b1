import { HalcyonError } from "./errors";

/**
 * Checks and returns the address of a server. Errors don't repeat it, because an RPC address may contain a secret.
 *
 * @throws HalcyonError `invalid_request` naming the option
 */
export function httpAddress(param: string, text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  const message = `${param} is not an address that begins with "https://" or "http://".`;
  throw new HalcyonError("invalid_request", message, { param });
}
