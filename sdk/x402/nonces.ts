import type { Hex } from "viem";
import { fromBase64UrlJson } from "./base64-url-json";
import { type PaymentRequirements, readExtra, SCHEME } from "./wire";

/**
 * Returns the nonces of the challenges in a response, of x402 and of MPP; empty if there are none or they can't be
 * parsed.
 */
export function offeredNonces({ headers }: Response): Hex[] {
  return [...ofX402(headers.get("payment-required")), ...ofMpp(headers.get("www-authenticate"))];
}

function ofX402(header: string | null): Hex[] {
  if (header === null) return [];
  try {
    const { accepts } = JSON.parse(atob(header)) as { accepts: PaymentRequirements[] };
    return accepts.flatMap(({ scheme, extra }) => (scheme === SCHEME && readExtra(extra)?.nonce) || []);
  } catch {
    return [];
  }
}

/** Parses challenges of the form `Payment …, request="<base64url of JSON>"`, one or several in a header. */
function ofMpp(header: string | null): Hex[] {
  return [...(header ?? "").matchAll(/\brequest="([A-Za-z0-9_-]+)"/g)].flatMap(([, request = ""]) => {
    try {
      const { methodDetails } = fromBase64UrlJson(request) as { methodDetails?: Record<string, unknown> };
      return readExtra(methodDetails)?.nonce ?? [];
    } catch {
      return [];
    }
  });
}

/** Returns the nonce of the challenge that a request pays; null for a request without a payment. */
export function presentedNonce(headers: Headers): string | null {
  const credential = /^payment (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  try {
    const presented = credential
      ? fromBase64UrlJson(credential)
      : JSON.parse(atob(headers.get("payment-signature") ?? ""));
    return (presented as { payload: { nonce: string } }).payload.nonce;
  } catch {
    return null;
  }
}
