import { decryptSharedView } from "@/lib/ledger/shared-view/encrypt-shared-view";
import type { SharedView } from "@/lib/ledger/shared-view/shared-view-document";
import { HalcyonError } from "../../api/errors";
import type { ReceiptNetwork } from "../../payments/transfers/check-receipt";

/** The service's response for a view: `GET /api/views/{id}`. */
export interface EncryptedSharedView {
  shared_view_id: string;
  network: string;
  expires_at: string;
  /** Base64. */
  encrypted: string;
}

/**
 * Parses the id and the key of a link.
 *
 * @throws HalcyonError `invalid_request` for an invalid link
 */
export function readSharedViewLink(link: string): { id: string; key: string } {
  const [, id, key] = /(?:^|\/)(view_[0-9A-HJKMNP-TV-Z]{26})#([A-Za-z0-9_-]{43})$/.exec(link.trim()) ?? [];
  if (id !== undefined && key !== undefined) return { id, key };
  throw new HalcyonError(
    "invalid_request",
    "This is not a link to a view, or not the whole of one. It ends in # and a key.",
  );
}

/**
 * Decrypts the service's copy of a view.
 *
 * @throws HalcyonError `invalid_request` when the key can't decrypt it, or it was changed
 */
export async function decryptShared(
  shared: EncryptedSharedView,
  key: string,
  { chainId, ledger }: Pick<ReceiptNetwork, "chainId" | "ledger">,
): Promise<SharedView> {
  const place = { chainId, ledger, expiresAt: Math.floor(new Date(shared.expires_at).getTime() / 1000) };
  try {
    const encrypted = Uint8Array.from(atob(shared.encrypted), (character) => character.charCodeAt(0));
    return await decryptSharedView(encrypted, key, place);
  } catch (cause) {
    const message = "The key of this link can't decrypt this view, or the view was changed. Ask for the link again.";
    throw new HalcyonError("invalid_request", message, { cause });
  }
}
