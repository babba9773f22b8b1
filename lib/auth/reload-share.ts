import { createHmac } from "node:crypto";
import type { Hex } from "viem";
import { z } from "zod";
import type { WalletContext } from "@/lib/context/wallet-context";
import { acceptedPeppers } from "@/lib/env";
import { ApiError } from "@/lib/errors";

const WINDOW_MS = 180_000;
/** Of a window that has begun up to 15 minutes ago a share is still handed out. */
const WINDOWS = 4;

/** The query of `GET /api/sessions/reload-share`. */
export const ReloadShareInput = z.strictObject({ window: z.coerce.number().int().min(0).optional() });

export type ReloadShareInput = z.infer<typeof ReloadShareInput>;

/** Half of what encrypts the viewing key that a browser keeps over a reload; alone it decrypts nothing. */
export interface ReloadShare {
  /** Counts three minutes each. */
  window: number;
  /** 32 bytes. */
  share: Hex;
  /** What another process makes of the window, while the server's pepper is rotated. */
  other_share?: Hex;
}

/**
 * The session's share of a window. It follows from the session, so that every process has the same one and none is
 * stored; with the session it ends.
 *
 * @throws ApiError `not_found` for a window that is over, or has not begun
 */
export function reloadShare(
  { sessionId }: Pick<WalletContext, "sessionId">,
  { window }: ReloadShareInput,
): ReloadShare {
  const now = Date.now();
  const [first, other] = acceptedPeppers().map((pepper) => shareOf(pepper, sessionId, window, now));
  if (!first) throw new Error("there is always a pepper");
  return other ? { ...first, other_share: other.share } : first;
}

/**
 * As {@link reloadShare}.
 *
 * @param now milliseconds of the service's clock
 */
export function shareOf(pepper: Uint8Array, sessionId: string, wanted: number | undefined, now: number): ReloadShare {
  const current = Math.floor(now / WINDOW_MS);
  const window = wanted ?? current;
  if (window > current || window < current - WINDOWS) {
    throw new ApiError("not_found", "This share is no longer handed out: unlock with your wallet.");
  }
  const named = `halcyon/1/reload share/${sessionId}/${window}`;
  return { window, share: `0x${createHmac("sha256", pepper).update(named).digest("hex")}` };
}
