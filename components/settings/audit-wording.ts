import { shortened } from "@/components/ui/address";
import type { AuditEntryView } from "@/lib/events/audit/audit-resource";
import { EVENT_TYPES } from "@/lib/events/catalogue";

export type ActorType = AuditEntryView["actor"]["type"];

/** What each action did, by its name in the log. */
export const AUDIT_ACTIONS: Record<string, string> = {
  "account.enrolled": "Account enrolled",
  "account.strict_changed": "Client-signed requirement changed",
  "account.batch_payments_changed": "Batching of waiting payments changed",
  "account.guarded": "Guard turned on",
  "account.guard_removed": "Guard turned off",
  "account.limits_set": "Limits of keys set",
  "account.limits_left": "Limits of keys removed",
  "account.secret_rotated": "Account secret rotated",
  "account.payment_key_renewed": "Payment key renewed",
  "account.payment_key_stopped": "Payment key switched off",
  "available_balance.abandoned": "Lost balance given up",
  "session.created": "Signed in",
  "session.revoked": "Session ended",
  "backup.created": "Backup added",
  "backup.deleted": "Backup deleted",
  "sharedView.created": "View shared",
  "sharedView.deleted": "View deleted",
  "key.created": "API key created",
  "key.revoked": "API key revoked",
  "key.exposed": "Home key sent to the service",
  "agent.created": "Agent created",
  "agent.paused": "Agent paused",
  "agent.resumed": "Agent resumed",
  "agent.ended": "Agent ended",
  "agent.key_replaced": "Agent's signing key replaced",
  "agent.policy.updated": "Agent's policy changed",
  "agent.transaction.held": "Payment awaiting approval",
  "agent.transaction.approved": "Agent payment approved",
  "agent.transaction.rejected": "Agent payment rejected",
  "agent.transaction.expired": "Agent payment expired",
  "agent.refunds.set": "Where refunds go changed",
  "payout.created": "Payout created",
  "payout.cancelled": "Payout cancelled",
  "payment_request.created": "Payment request created",
  "payment_request.cancelled": "Payment request cancelled",
  "payment_request.reported": "Payment for a request reported",
  "schedule.created": "Schedule created",
  "schedule.changed": "Schedule changed",
  "schedule.paused": "Schedule paused",
  "schedule.resumed": "Schedule resumed",
  "schedule.skipped": "Run of a schedule skipped",
  "schedule.encrypted": "Schedule encrypted by its owner",
  "schedule.ended": "Schedule ended",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.disabled": "Webhook disabled",
  "webhook.secret_rotated": "Webhook's secret rotated",
  "notifications.email_set": "Email for notifications set",
  "notifications.email_confirmed": "Email for notifications confirmed",
  "notifications.email_removed": "Email for notifications removed",
  "notifications.email_bounced": "Email for notifications bounced",
  "notifications.email_unsubscribed": "Emails unsubscribed by their reader",
  "notifications.switched": "Notifications changed",
  "notifications.device_added": "Device for notifications added",
  "notifications.device_removed": "Device for notifications removed",
  "notifications.device_expired": "Device for notifications expired",
  "test.clock_advanced": "Test clock advanced",
};

/** Who can act. */
export const ACTORS: Record<ActorType, string> = {
  session: "You, signed in",
  key: "An API key",
  agent: "An agent's key",
  system: "Halcyon",
};

/** Returns an action in words. An action without words keeps its name in the log. */
export function actionWords(action: string): string {
  return AUDIT_ACTIONS[action] ?? action;
}

/** A changed field with its value before and after; undefined on a side that lacks the field. */
interface AuditChange {
  field: string;
  before?: string;
  after?: string;
}

function shown(value: unknown, shorten: boolean): string {
  if (typeof value === "string") {
    if (!shorten) return value === "" ? "empty" : value;
    return value === "" ? "empty" : /^0x[0-9a-f]{16,}$/.test(value) ? shortened(value) : value;
  }
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && EVENT_TYPES.every((type) => value.includes(type))) return "All events";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((part) => shown(part, shorten)).join(", ");
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value as object).map(
    ([name, part]) => `${name.replaceAll("_", " ")} ${shown(part, shorten)}`,
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Words for units and abbreviations in the log's field names. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  usdg: "(USDG)",
  id: "ID",
  url: "URL",
  ips: "IPs",
  hitl: "approval",
};

/** Returns a field's name in words: `daily_limit_usdg` as "Daily limit (USDG)". */
export function fieldWords(field: string): string {
  const words = field
    .split("_")
    .map((word) => FIELD_WORDS[word] ?? word)
    .join(" ");
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}

/** Returns whether a value is empty, so that a new or deleted object need not list it. */
const isNothing = (value: unknown) => value === null || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Returns what an entry changed, field by field, in the entry's order. Leaves out unchanged fields and the empty fields
 * of something new or deleted. Values that would look the same when shortened, such as the addresses of look-alikes,
 * are complete.
 */
export function changesOf({ before, after }: Pick<AuditEntryView, "before" | "after">): AuditChange[] {
  const sides = [before, after].filter((side) => side !== null);
  const fields = [...new Set(sides.flatMap((side) => Object.keys(side)))];
  return fields
    .filter((field) => sides.length === 2 || !isNothing(sides[0]?.[field]))
    .map((field) => {
      const said = (side: typeof before, shorten: boolean) =>
        side && field in side ? shown(side[field], shorten) : undefined;
      const shorten = said(before, true) !== said(after, true);
      return { field, before: said(before, shorten), after: said(after, shorten) };
    })
    .filter((change) => change.before !== change.after);
}
