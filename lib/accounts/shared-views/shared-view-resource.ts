import type { sharedViews } from "@/db/schema/shared-views";
import { isoTime } from "@/lib/base/clock";
import { networkOf } from "@/lib/base/network";

/** A view without its ciphertext, as lists read it. */
export type SharedViewRow = Omit<typeof sharedViews.$inferSelect, "encrypted">;

/** Returns a view as the owner's API shows it. */
export function toSharedViewResource({ id, label, createdAt, expiresAt, openedAt }: SharedViewRow) {
  return {
    shared_view_id: id,
    label,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    opened_at: openedAt && isoTime(openedAt),
  };
}

/** A view as it is sent to someone with its link. */
export interface EncryptedSharedView {
  id: string;
  chainId: 46630 | 4663;
  /** The ciphertext in base64. */
  encrypted: string;
  expiresAt: Date;
}

/** Returns the ciphertext and what it is bound to, but neither whose it is nor its owner's label. */
export function toEncryptedSharedView({ id, chainId, encrypted, expiresAt }: EncryptedSharedView) {
  return {
    shared_view_id: id,
    network: networkOf(chainId),
    expires_at: isoTime(expiresAt),
    encrypted,
  };
}
