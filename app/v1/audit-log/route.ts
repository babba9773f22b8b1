import { AuditList, toAuditList } from "@/lib/audit/audit-resource";
import { listAuditEntries } from "@/lib/audit/list-entries";
import { ListAuditQuery } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  docs: {
    operationId: "listAuditEntries",
    tag: "Audit log",
    summary: "List audit entries",
    description: "Who did what, newest first. Whoever keeps a hash can tell whether anything up to it was changed.",
  },
  answers: { 200: AuditList },
  query: ListAuditQuery,
  handle: ({ ctx, query }) => listAuditEntries(ctx, query),
  serialize: toAuditList,
});
