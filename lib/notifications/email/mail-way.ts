import { chainEnv } from "@/lib/chain/clients";
import { env } from "@/lib/env";
import type { ChainId } from "@/lib/network";

/**
 * How email of a network goes out: by the configured mail server; else, on the local stack's chains alone, into the inbox
 * that its pages show; else not at all.
 */
export function mailWay(chainId: ChainId): "smtp" | "inbox" | "none" {
  if (env().mail) return "smtp";
  return chainEnv(chainId).local ? "inbox" : "none";
}
