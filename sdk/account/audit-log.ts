import { timeText } from "../api/check-input";
import { type Paged, type PageInput, paged } from "../api/paged";
import type { AuditEntry, AuditList } from "../api/resources/audit-log";
import { callApi, keyFirst } from "../context/call-api";
import type { Context } from "../context/context";

/** Filters for a list of audit log entries, and its paging. */
export interface AuditLogInput extends PageInput {
  /** Only this action, such as `agent.policy.updated`. */
  action?: string | undefined;
  /** Only actions by this type of actor. */
  actor?: AuditEntry["actor"]["type"] | undefined;
  /** Only actions on this id. */
  target?: string | undefined;
  /** Exclusive bounds on `created_at`: a Date, or an ISO 8601 string. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
  /** `hidden` leaves out sign-ins. */
  signIns?: "hidden" | undefined;
}

/** Lists the account's audit log, newest first. Needs an API key of the account, or its wallet. */
export function auditLog(context: Context, input: AuditLogInput = {}): Paged<AuditList, AuditEntry> {
  const read = ({ from, to, startingAfter, signIns, ...filters }: AuditLogInput) => {
    const query = {
      ...filters,
      sign_ins: signIns,
      from: timeText(from),
      to: timeText(to),
      starting_after: startingAfter,
    };
    return callApi<AuditList>(context, "GET", "/v1/audit-log", { query, by: keyFirst(context) });
  };
  return paged({ read, entries: ({ entries }) => entries, id: ({ id }) => id }, input);
}
