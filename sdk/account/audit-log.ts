import { type Paged, paged } from "../api/paging";
import type { AuditEntry, AuditList } from "../api/resources";
import type { Context } from "../context/context";

/** Which entries of the audit log, and how many at a time. */
export interface AuditLogInput {
  /** Entries per page, 1 to 100; 20 when left out. */
  limit?: number;
  offset?: number;
  /** Only this action, such as `agent.policy.updated`. */
  action?: string;
  /** Only what such an actor did. */
  actor?: AuditEntry["actor"]["type"];
  /** Only what was done to this id. */
  target?: string;
  /** Strict bounds on `created_at`. */
  from?: Date;
  to?: Date;
}

/** Who did what in the account, newest first. Needs an API key of the account. */
export function auditLog(context: Context, input: AuditLogInput = {}): Paged<AuditList, AuditEntry> {
  const read = async ({ from, to, ...filters }: AuditLogInput) => {
    const query = { ...filters, from: from?.toISOString(), to: to?.toISOString() };
    return (await context.http.send("GET", "/v1/audit-log", { query, headers: context.bearer })).body as AuditList;
  };
  return paged({ read, entries: ({ entries }) => entries, id: ({ id }) => id }, input);
}
