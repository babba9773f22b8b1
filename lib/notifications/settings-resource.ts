import { isoTime } from "@/lib/clock";
import type { Channel, NotificationKind } from "@/lib/events/notification-kinds";
import type { EmailRow } from "./email/set-email";
import type { NotificationSettings } from "./get-settings";
import type { DeviceRow } from "./push/send-push";

/** An address as its owner sees it. */
export interface EmailResource {
  address: string;
  state: EmailRow["state"];
  /** Of a bounce: the status of the address's server. */
  reason: string | null;
  /** Until when the newest link confirms; null once it is confirmed. */
  confirm_until: string | null;
  changed_at: string;
}

/** A browser that gets push messages. */
export interface DeviceResource {
  device_id: string;
  service: string;
  user_agent: string | null;
  /** What its push service said to the newest message, if it refused it. */
  failure: string | null;
  created_at: string;
}

/** How an account is notified, as the session API says it. */
export interface NotificationsResource {
  /** `inbox`: of the local stack, on a page of its own; `none`: this installation sends no email. */
  email_by: "smtp" | "inbox" | "none";
  email: EmailResource | null;
  /** For `PushManager.subscribe`; null: this installation pushes nothing. */
  push_key: string | null;
  devices: DeviceResource[];
  kinds: ({ kind: NotificationKind } & Record<Channel, boolean>)[];
}

export const toDevice = (row: DeviceRow): DeviceResource => ({
  device_id: row.id,
  service: row.service,
  user_agent: row.userAgent,
  failure: row.failure,
  created_at: isoTime(row.createdAt),
});

/** Serialises how an account is notified: no endpoint, key or token of a link. */
export function toNotifications({
  mailWay,
  email,
  pushKey,
  devices,
  kinds,
}: NotificationSettings): NotificationsResource {
  return {
    email_by: mailWay,
    email: email && {
      address: email.address,
      state: email.row.state,
      reason: email.row.reason,
      confirm_until: email.row.confirmUntil && isoTime(email.row.confirmUntil),
      changed_at: isoTime(email.row.changedAt),
    },
    push_key: pushKey,
    devices: devices.map(toDevice),
    kinds,
  };
}
