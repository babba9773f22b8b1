import { isoTime } from "@/lib/base/clock";
import type { SessionRecord } from "@/lib/http/auth/list-sessions";

/** Serializes a page of the wallet's own sessions. */
export function toSessionList({ entries, hasMore }: { entries: readonly SessionRecord[]; hasMore: boolean }) {
  return {
    sessions: entries.map(({ id, userAgent, clientAddress, createdAt, expiresAt, current }) => ({
      session_id: id,
      user_agent: userAgent,
      client_address: clientAddress,
      created_at: isoTime(createdAt),
      expires_at: isoTime(expiresAt),
      current,
    })),
    has_more: hasMore,
  };
}
