import { isoTime } from "@/lib/clock";
import type { HeldView } from "./hold";

/** Serialises a held payment. */
export function toHeldResource({ id, status, agentHandle, to, requestedAt, expiresAt }: HeldView) {
  return {
    transaction_id: id,
    status,
    agent: `@${agentHandle}`,
    to,
    requested_at: isoTime(requestedAt),
    expires_at: isoTime(expiresAt),
  };
}
