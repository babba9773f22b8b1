import { isoTime } from "@/lib/base/clock";
import { revokeSession } from "@/lib/http/auth/revoke-session";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "wallet",
  handle: ({ ctx, params }) => revokeSession(ctx, params.id ?? ""),
  serialize: ({ id, revokedAt }) => ({ session_id: id, revoked_at: isoTime(revokedAt) }),
});
