import type { AuditEntryView } from "@/lib/audit/audit-resource";

/** The answer of `GET /api/audit-log`. */
export interface AuditListAnswer {
  entries: AuditEntryView[];
  limit: number;
  offset: number;
  has_more: boolean;
}
