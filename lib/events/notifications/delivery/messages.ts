import type { Network } from "@/lib/base/network";
import type { NotificationKind } from "@/lib/events/notification-kinds";

// Texts of messages. Every server on the way can read them, so they contain no amount, memo, counterparty, id or name.
// They only link to the sign-in page.

/** What a message is about. */
export type MessageKind = NotificationKind | "confirm" | "relayer_gas";

/** A message's text. */
export interface NotificationMessage {
  subject: string;
  /** One sentence each. */
  lines: string[];
  /** Label of the message's only link. */
  action: string;
  /** Where the link leads, relative to the site's origin. */
  path: string;
}

const signIn = (network: Network, page: string) => `/sign-in?next=${encodeURIComponent(`/${network}${page}`)}`;

/** Returns the text of a notification. */
export function notificationText(kind: NotificationKind | "relayer_gas", network: Network): NotificationMessage {
  const where = `on the ${network} network`;
  switch (kind) {
    case "approval_needed":
      return {
        subject: "A payment awaits your approval",
        lines: [`At least one payment ${where} awaits your approval.`, "Sign in to see it, and approve or reject it."],
        action: "Sign in to review",
        path: signIn(network, "/approvals"),
      };
    case "approval_expiring":
      return {
        subject: "A payment that awaits your approval is about to expire",
        lines: [
          `At least one payment ${where} still awaits your approval and is about to expire.`,
          "Unless you approve it, it is not paid.",
        ],
        action: "Sign in to review",
        path: signIn(network, "/approvals"),
      };
    case "webhook_failing":
      return {
        subject: "A webhook of yours is failing",
        lines: [
          `At least one of your webhooks ${where} is failing or was disabled.`,
          "Sign in to see why. Events of the last 24 hours are sent again.",
        ],
        action: "Sign in to look",
        path: signIn(network, "/developers/webhooks"),
      };
    case "relayer_gas":
      return {
        subject: `Relayers of the ${network} network are low on gas`,
        lines: [
          "An account that pays for gas is below its alarm. Without gas, payments are accepted and stay pending.",
          "Which account it is: see /metrics (halcyon_relayer_balance) and the runbook.",
        ],
        action: "See the status page",
        path: "/status",
      };
  }
}

/** Returns the text that asks the reader to confirm an email address. */
export function confirmationOf(token: string): NotificationMessage {
  return {
    subject: "Confirm your email address for notifications",
    lines: [
      "Someone who is signed in to Halcyon asked to get notifications at this address.",
      "If it was you, confirm the address within 24 hours. If not, ignore this message: nothing else is sent.",
    ],
    action: "Confirm address",
    path: `/notifications/confirm?token=${encodeURIComponent(token)}`,
  };
}
