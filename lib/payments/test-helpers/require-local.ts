import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";

/**
 * Lets test helpers work on local chains alone.
 *
 * @throws ApiError `not_found` elsewhere
 */
export function requireLocal(chainId: ChainId): void {
  if (chainEnv(chainId).local) return;
  throw new ApiError("not_found", "There are test helpers on local chains only. Run the local stack with `npm start`.");
}
