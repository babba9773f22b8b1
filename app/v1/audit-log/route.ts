import { AuditList, toAuditList } from "@/lib/events/audit/audit-resource";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { ListAuditQuery } from "@/lib/events/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listAuditEntries",
    tag: "Audit log",
    summary: "List audit entries",
    description:
      "Lists changes and who made them, newest first. Entries are hash-chained: save a hash to detect later changes to earlier entries.",
  },
  responses: { 200: AuditList },
  query: ListAuditQuery,
  handle: ({ ctx, query }) => listAuditEntries(ctx, query),
  serialize: toAuditList,
});
