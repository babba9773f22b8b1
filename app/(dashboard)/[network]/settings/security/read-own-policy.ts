import { readLimits, toLimits } from "@/lib/agents/owners-policy";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

/** Returns the account's own policy, or null if it has none. */
export async function readOwnPolicy(ctx: SessionContext) {
  try {
    return toLimits(await readLimits(ctx));
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}
