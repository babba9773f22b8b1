import type { Address } from "viem";
import { createSiweMessage } from "viem/siwe";
import { CHAIN_ID, type Network } from "@/lib/network";

const VALID_MS = 5 * 60_000;

/**
 * The text a wallet signs to sign in (ERC-4361); good for 5 minutes and, by its nonce, once.
 *
 * @param origin of the service that is talked to: a signature made for it is worth nothing elsewhere
 * @param nonce of `GET /api/siwe/nonce`
 */
export function signInMessage(origin: string, network: Network, address: Address, nonce: string): string {
  const now = new Date();
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

/** Whether next-auth's response to the sign-in means success: it reports refusals by the address it sends to. */
export function isSignedIn(response: { status: number; body: unknown }): boolean {
  const { url = "" } = (response.body ?? {}) as { url?: string };
  return response.status === 200 && !/[?&](csrf=true|error=)/.test(url);
}
