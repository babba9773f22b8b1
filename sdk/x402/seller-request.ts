import { boundedFetch } from "../api/bounded-fetch";
import type { Call } from "../api/call";
import { HalcyonError } from "../api/errors";

const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

/** What is sent to a seller, beside its URL. */
export interface SellerRequest {
  /** `GET` when left out. */
  method?: string | undefined;
  headers?: Record<string, string> | [name: string, value: string][] | undefined;
  body?: string | Uint8Array | undefined;
}

/** Whether no one on the way reads what is sent to a URL: https, or http on this machine. */
export function isPrivate(url: string): boolean {
  const { protocol = "", hostname = "" } = URL.canParse(url) ? new URL(url) : {};
  return protocol === "https:" || (protocol === "http:" && THIS_MACHINE.includes(hostname));
}

/**
 * A request to a seller. Plain http would show the payment to everyone on the way.
 *
 * @throws HalcyonError `invalid_request` for what is no request, and http to another machine
 */
export function sellerRequest(url: string | URL, { method = "GET", headers, body }: SellerRequest): Request {
  const text = String(url);
  if (!isPrivate(text)) {
    const message = "The URL begins with https://, or with http:// on this machine. Nothing was sent.";
    throw new HalcyonError("invalid_request", message, { param: "url" });
  }
  try {
    return new Request(text, {
      method: method.toUpperCase(),
      ...(headers && { headers }),
      ...(body && { body: body as BodyInit }),
    });
  } catch (cause) {
    throw new HalcyonError("invalid_request", "This is no HTTP request: look at method, headers and body.", { cause });
  }
}

/**
 * `fetch` to servers of others, which keeps to a call's limits. An offer that a redirect led to can't be paid.
 *
 * @param fetched in place of this machine's `fetch`
 */
export function sellerFetch(call: Call, fetched?: typeof fetch): typeof fetch {
  const sent: typeof fetch = async (input, init) => {
    const response = await (fetched ?? fetch)(input, init).catch((cause: unknown) => {
      if (cause instanceof HalcyonError) throw cause;
      const { origin } = new URL(input instanceof Request ? input.url : input);
      throw new HalcyonError("unavailable", `Nothing responds at ${origin}, or it redirects a payment.`, { cause });
    });
    if (response.status !== 402 || !response.redirected) return response;
    throw new HalcyonError("invalid_request", "The server redirects to another address. Ask there. Nothing was paid.", {
      param: "url",
    });
  };
  return boundedFetch(call, sent);
}
