import { env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";

/**
 * Returns how email goes out on a network: by the configured mail server; without one, on a local chain, into the inbox
 * that the local stack shows as a page; otherwise not at all.
 */
export function mailWay(chainId: ChainId): "smtp" | "inbox" | "none" {
  if (env().mail) return "smtp";
  return chainEnv(chainId).local ? "inbox" : "none";
}
