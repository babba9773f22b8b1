import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { type LockedPolicy, lockAgent, lockLimits } from "./lock-agent";

/** The policy of a payer. If the payer is an account, it has no encrypted wallet: its payment key signs. */
interface LockedHolder extends LockedPolicy {
  wallet: Hex | null;
  secretVersion: number | null;
}

/** Locks the policy of a payer and returns it; null for an account whose own keys have no policy. */
export async function lockPolicy(
  tx: Tx,
  chainId: ChainId,
  holder: Pick<ContextAccount, "id" | "type">,
  strength: "share" | "update",
): Promise<LockedHolder | null> {
  if (holder.type === "agent") return lockAgent(tx, holder.id, strength);
  const locked = await lockLimits(tx, chainId, holder.id, strength);
  return locked && { ...locked, wallet: null, secretVersion: null };
}
