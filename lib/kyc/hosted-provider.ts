import { env } from "@/lib/env";
import type { Network } from "@/lib/network";
import type { HostedKycProvider } from "./provider";
import { stripeIdentity } from "./stripe-identity";

/** The provider of a network with pages of its own; undefined where the sandbox verifies, or none is set up. */
export function hostedProvider(network: Network): HostedKycProvider | undefined {
  const { identity } = env();
  return identity && network === "live" ? stripeIdentity(identity) : undefined;
}
