import { type AuditLogInput, auditLog } from "../account/audit-log";
import type { CallOptions } from "../api/call-options";
import { checkInput, type FieldsOf } from "../api/check-input";
import { PAGE, type Paged } from "../api/paged";
import type { AuditEntry, AuditList } from "../api/resources/audit-log";
import { Resource } from "./resource";

const LIST: FieldsOf<AuditLogInput> = {
  ...PAGE,
  action: "text",
  actor: "text",
  target: "text",
  from: "time",
  to: "time",
  signIns: "text",
};

/**
 * The audit log, which records who did what in the account: `halcyon.auditLog`. Needs an API key of the account, or its
 * wallet.
 */
export class AuditLogResource extends Resource {
  /**
   * Lists the entries of the audit log, newest first.
   *
   * @example
   * for await (const { action, actor } of halcyon.auditLog.list({ action: "agent.policy.updated" })) {
   *   console.log(action, actor);
   * }
   */
  list(input: AuditLogInput = {}, options?: CallOptions): Paged<AuditList, AuditEntry> {
    checkInput(input, LIST);
    return auditLog(this.context.within(options), input);
  }
}
