import { toPendingEntry } from "@/lib/held/held-resource";
import { listPending } from "@/lib/held/list-pending";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  handle: ({ ctx }) => listPending(ctx),
  serialize: (held) => ({ pending: held.map(toPendingEntry) }),
});
