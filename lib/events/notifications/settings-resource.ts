import { isoTime } from "@/lib/base/clock";
import type { Channel, NotificationKind } from "@/lib/events/notification-kinds";
import type { EmailRow } from "./email/set-email";
import type { NotificationSettings } from "./get-settings";
import type { DeviceRow } from "./push/send-push";

/** An address as its owner sees it. */
export interface EmailResource {
  address: string;
  state: EmailRow["state"];
  /** If the address bounced: the SMTP status of its server. */
  reason: string | null;
  /** When the newest confirmation link expires; null once the address is confirmed. */
  confirm_until: string | null;
  changed_at: string;
}

/** A browser registered for push messages. */
export interface DeviceResource {
  device_id: string;
  service: string;
  user_agent: string | null;
  /** The push service's status for the newest message, if it refused that one; null otherwise. */
  failure: string | null;
  created_at: string;
}

/** An account's notification settings, as the session API returns them. */
export interface NotificationsResource {
  /** `smtp`: by mail server. `inbox`: shown on a page of the local stack. `none`: this installation sends no email. */
  email_by: "smtp" | "inbox" | "none";
  email: EmailResource | null;
  /** The key for `PushManager.subscribe`; null if this installation sends no push messages. */
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

/** Serializes an account's notification settings. Never includes an endpoint, a key or a link's token. */
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
