import type { AuditEntryView } from "@/lib/events/audit/audit-resource";

/** The response of `GET /v1/audit-log`. */
export interface AuditListResponse {
  entries: AuditEntryView[];
  limit: number;
  offset: number;
  has_more: boolean;
  /** Position of the oldest entry that is kept; 1 until the first month is removed. */
  kept_from: number;
}
