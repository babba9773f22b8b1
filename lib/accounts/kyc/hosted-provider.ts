import { env } from "@/lib/base/env";
import type { Network } from "@/lib/base/network";
import type { HostedKycProvider } from "./provider";
import { stripeIdentity } from "./stripe-identity";

/**
 * Returns the network's provider with pages of its own; undefined if the sandbox verifies there or no provider is set
 * up.
 */
export function hostedProvider(network: Network): HostedKycProvider | undefined {
  const { identity } = env();
  return identity && network === "live" ? stripeIdentity(identity) : undefined;
}
