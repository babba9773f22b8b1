import { toOwnAuditList } from "@/lib/events/audit/audit-resource";
import { listOwnAuditEntries } from "@/lib/events/audit/list-entries";
import { ListOwnAuditQuery } from "@/lib/events/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListOwnAuditQuery,
  handle: ({ ctx, query }) => listOwnAuditEntries(ctx, query),
  serialize: toOwnAuditList,
});
