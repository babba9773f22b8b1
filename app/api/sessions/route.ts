import { listSessions } from "@/lib/auth/list-sessions";
import { toSessionList } from "@/lib/auth/session-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "wallet",
  handle: ({ ctx }) => listSessions(ctx),
  serialize: toSessionList,
});
