import type { SessionRecord } from "@/lib/auth/list-sessions";
import { isoTime } from "@/lib/clock";

/** The wallet's sessions, for itself. */
export function toSessionList(sessions: readonly SessionRecord[]) {
  return {
    sessions: sessions.map(({ id, userAgent, clientAddress, createdAt, expiresAt, current }) => ({
      session_id: id,
      user_agent: userAgent,
      client_address: clientAddress,
      created_at: isoTime(createdAt),
      expires_at: isoTime(expiresAt),
      current,
    })),
  };
}
