import { machineFetch } from "@/lib/base/machine-fetch";
import { boundedFetch } from "../api/bounded-fetch";
import type { Call } from "../api/call";
import { HalcyonError } from "../api/errors";

const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

/** A request to a seller, besides its URL. */
export interface SellerRequest {
  /** Default: `GET`. */
  method?: string | undefined;
  headers?: Record<string, string> | [name: string, value: string][] | undefined;
  body?: string | Uint8Array | undefined;
}

/** Reports whether requests to a URL can't be read on the way: https, or http on this machine. */
export function isPrivate(url: string): boolean {
  const { protocol = "", hostname = "" } = URL.canParse(url) ? new URL(url) : {};
  return protocol === "https:" || (protocol === "http:" && THIS_MACHINE.includes(hostname));
}

/**
 * Creates a request to a seller. Refuses plain http, which would reveal the payment to everyone on the way.
 *
 * @throws HalcyonError `invalid_request` for an invalid request, and for http to another machine
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
 * Returns a `fetch` for third-party servers, with a call's limits. Refuses an offer that was reached through a
 * redirect.
 *
 * @param fetched used instead of this machine's `fetch`
 */
export function sellerFetch(call: Call, fetched: typeof fetch = machineFetch): typeof fetch {
  const sent: typeof fetch = async (input, init) => {
    const response = await fetched(input, init).catch((cause: unknown) => {
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
