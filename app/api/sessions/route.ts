import { listSessions } from "@/lib/auth/list-sessions";
import { isoTime } from "@/lib/clock";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "wallet",
  handle: ({ ctx }) => listSessions(ctx),
  serialize: (sessions) => ({
    sessions: sessions.map(({ id, userAgent, clientAddress, createdAt, expiresAt, current }) => ({
      session_id: id,
      user_agent: userAgent,
      client_address: clientAddress,
      created_at: isoTime(createdAt),
      expires_at: isoTime(expiresAt),
      current,
    })),
  }),
});
