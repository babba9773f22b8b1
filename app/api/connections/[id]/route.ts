import { isoTime } from "@/lib/base/clock";
import { revokeConnection } from "@/lib/http/connections/revoke-connection";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => revokeConnection(ctx, params.id ?? ""),
  serialize: ({ id, revokedAt }) => ({ connection_id: id, revoked_at: isoTime(revokedAt) }),
});
