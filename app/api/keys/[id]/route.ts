import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { isoTime } from "@/lib/base/clock";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => revokeKey(ctx, params.id ?? ""),
  serialize: ({ id, revokedAt }) => ({ key_id: id, revoked_at: isoTime(revokedAt) }),
});
