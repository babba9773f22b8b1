/** What an account can be notified about, in the order of the settings page. */
export const NOTIFICATION_KINDS = ["approval_needed", "approval_expiring", "webhook_failing"] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How a notification reaches a person. */
export const CHANNELS = ["email", "push"] as const;

export type Channel = (typeof CHANNELS)[number];
