import { shortened } from "@/components/ui/address";
import type { AuditEntryView } from "@/lib/audit/audit-resource";

export type ActorType = AuditEntryView["actor"]["type"];

/** What was done, by the log's own names. */
export const ACTIONS: Record<string, string> = {
  "account.enrolled": "Account enrolled",
  "account.strict_changed": "Client-signed requirement changed",
  "account.batch_payments_changed": "Batching of waiting payments changed",
  "account.guarded": "Guard turned on",
  "account.guard_removed": "Guard turned off",
  "account.limits_set": "Limits of keys set",
  "account.limits_left": "Limits of keys removed",
  "account.secret_rotated": "Account secret rotated",
  "account.spender_renewed": "Spending key renewed",
  "budget.abandoned": "Lost balance given up",
  "session.created": "Signed in",
  "session.revoked": "Session ended",
  "backup.created": "Backup added",
  "backup.deleted": "Backup deleted",
  "disclosure.created": "View shared",
  "disclosure.deleted": "View deleted",
  "key.created": "API key created",
  "key.revoked": "API key revoked",
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
};

/** Who may act. */
export const ACTORS: Record<ActorType, string> = {
  session: "You, signed in",
  key: "An API key",
  agent: "An agent's key",
  system: "Halcyon",
};

/** An action in words; one that has none yet by its own name. */
export function actionWords(action: string): string {
  return ACTIONS[action] ?? action;
}

/** A changed field: how it was and how it is; undefined where it was not there. */
export interface Change {
  field: string;
  before?: string;
  after?: string;
}

function shown(value: unknown): string {
  if (typeof value === "string")
    return value === "" ? "empty" : /^0x[0-9a-f]{16,}$/.test(value) ? shortened(value) : value;
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value as object).map(([name, part]) => `${name.replaceAll("_", " ")} ${shown(part)}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Units and shortenings of the log's own names. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  usdg: "(USDG)",
  id: "ID",
  url: "URL",
  ips: "IPs",
  hitl: "approval",
};

/** A field in words: `daily_limit_usdg` as "Daily limit (USDG)". */
export function fieldWords(field: string): string {
  const words = field
    .split("_")
    .map((word) => FIELD_WORDS[word] ?? word)
    .join(" ");
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}

/** A field of something new or gone that says nothing. */
const isNothing = (value: unknown) => value === null || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * What an entry changed, field by field, in the order of the entry. What stayed as it was is left out, and so is what
 * something new or gone did not have.
 */
export function changesOf({ before, after }: Pick<AuditEntryView, "before" | "after">): Change[] {
  const sides = [before, after].filter((side) => side !== null);
  const fields = [...new Set(sides.flatMap((side) => Object.keys(side)))];
  return fields
    .filter((field) => sides.length === 2 || !isNothing(sides[0]?.[field]))
    .map((field) => ({
      field,
      before: before && field in before ? shown(before[field]) : undefined,
      after: after && field in after ? shown(after[field]) : undefined,
    }))
    .filter((change) => change.before !== change.after);
}
