import type { Address } from "viem";
import { createSiweMessage } from "viem/siwe";
import { CHAIN_ID, type Network } from "@/lib/base/network";

const VALID_MS = 5 * 60_000;

/**
 * Returns the text that a wallet signs to sign in (ERC-4361). It is valid for 5 minutes and, because of its nonce, only
 * once.
 *
 * @param origin of the service we connect to; a signature for it is worthless elsewhere
 * @param nonce from `GET /api/siwe/nonce`
 * @param now by the service's clock: see {@link serverTime}
 */
export function signInMessage(
  origin: string,
  network: Network,
  address: Address,
  nonce: string,
  now = new Date(),
): string {
  return createSiweMessage({
    domain: new URL(origin).host,
    address,
    statement: "Sign in to Halcyon.",
    uri: origin,
    version: "1",
    chainId: CHAIN_ID[network],
    nonce,
    issuedAt: now,
    expirationTime: new Date(now.getTime() + VALID_MS),
  });
}

/** Returns when the service sent a response, by its clock (RFC 9110, 6.6.1): this machine's may be wrong. */
export function serverTime({ headers }: { headers: Headers }): Date {
  const sent = new Date(headers.get("date") ?? Number.NaN);
  return Number.isNaN(sent.getTime()) ? new Date() : sent;
}

/**
 * Reports whether next-auth's response means that the sign-in succeeded. It reports a refusal in the redirect address.
 * Other failures are neither: see `postSignIn`.
 */
export function isSignedIn(response: { status: number; body: unknown }): boolean {
  const { url = "" } = (response.body ?? {}) as { url?: string };
  return response.status === 200 && !/[?&](csrf=true|error=)/.test(url);
}
