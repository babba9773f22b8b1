import { NETWORKS, type Network } from "@/lib/base/network";
import { HalcyonError } from "./errors";

/**
 * Returns the client's API key after checking that it is safe to send.
 *
 * @throws HalcyonError `unauthorized` when there is no key, the key is for the other network, or the text is not a key
 */
export function checkApiKey(apiKey: string | undefined, network: Network): string {
  const other = NETWORKS.find((name) => name !== network && apiKey?.startsWith(`hc_${name}_`));
  if (other) {
    throw new HalcyonError("unauthorized", `This API key is of the ${other} network, not of ${network}.`);
  }
  if (!apiKey) {
    const message = "This needs an API key. Create the client with the option apiKey.";
    throw new HalcyonError("unauthorized", message, { param: "apiKey" });
  }
  if (/^hc_(test|live)_[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  // Don't send another service's key to this one. Don't pass a line break to fetch: its error would contain the key.
  const begins = /^hc_(test|live)_/.test(apiKey);
  const message = begins
    ? "This API key has spaces or line breaks in it. Pass it without them."
    : "This is not a Halcyon API key: those begin with hc_test_ or hc_live_.";
  throw new HalcyonError("unauthorized", message, { param: "apiKey" });
}
