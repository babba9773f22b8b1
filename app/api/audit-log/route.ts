import { toOwnAuditList } from "@/lib/audit/audit-resource";
import { listOwnAuditEntries } from "@/lib/audit/list-entries";
import { ListOwnAuditQuery } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListOwnAuditQuery,
  handle: ({ ctx, query }) => listOwnAuditEntries(ctx, query),
  serialize: toOwnAuditList,
});
