import type { NotificationKind } from "@/lib/events/notification-kinds";

/** What each kind of notification reports. */
export const KIND_WORDS: Record<NotificationKind, { name: string; hint: string }> = {
  approval_needed: {
    name: "Payments that await approval",
    hint: "When an agent asks for more than it may pay by itself.",
  },
  approval_expiring: {
    name: "Approvals about to expire",
    hint: "Two hours before a payment that still waits expires.",
  },
  webhook_failing: {
    name: "Failing webhooks",
    hint: "When a webhook has failed for 15 minutes, or was disabled.",
  },
};
