import { createHmac } from "node:crypto";
import type { Hex } from "viem";
import { z } from "zod";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { acceptedPeppers } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";

const WINDOW_MS = 180_000;
/** How many windows back a share is still returned: those that began up to 15 minutes ago. */
const WINDOWS = 4;

/** The query of `GET /api/sessions/reload-share`. */
export const ReloadShareInput = z.strictObject({ window: z.coerce.number().int().min(0).optional() });

export type ReloadShareInput = z.infer<typeof ReloadShareInput>;

/** One of two secrets that encrypt the viewing key that a browser keeps across a reload. Alone it decrypts nothing. */
interface ReloadShare {
  /** Number of the window; each is three minutes long. */
  window: number;
  /** 32 bytes. */
  share: Hex;
  /** The share that other processes return for the window while the server's pepper is being rotated. */
  other_share?: Hex;
}

/**
 * Returns the session's share for a window. It is derived from the session, so every process returns the same share,
 * none is stored, and it is no longer available once the session ends.
 *
 * @throws ApiError `not_found` for a window that is over or has not begun
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
 * Derives the share of a session for a window, as {@link reloadShare} returns it.
 *
 * @param wanted number of the window; the current one by default
 * @param now the server's clock, in milliseconds since 1970
 * @throws ApiError `not_found` for a window that is over or has not begun
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
