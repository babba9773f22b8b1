import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * The email address of an account on a network, and its state. The address and the tokens of its links are encrypted
 * together (lib/events/notifications/email/email-secrets.ts).
 */
export const notificationEmails = pgTable(
  "notification_emails",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id")
      .notNull()
      .references(() => accounts.id), // the owner
    chainId: integer("chain_id").notNull(),
    encrypted: hex("encrypted").notNull(),
    // bounced: the recipient's server has refused it; unsubscribed: the reader wants no more email
    state: text("state", { enum: ["pending", "confirmed", "bounced", "unsubscribed"] }).notNull(),
    reason: text("reason"), // for a bounce: the SMTP status, such as 550; never the server's text
    confirmHash: hex("confirm_hash"), // SHA-256 of the confirmation token; null once confirmed
    confirmUntil: instant("confirm_until"),
    unsubscribeHash: hex("unsubscribe_hash").notNull(), // SHA-256 of the unsubscribe token
    createdAt: instant("created_at").notNull(),
    changedAt: instant("changed_at").notNull(), // when its state changed
  },
  (t) => [uniqueIndex("notification_emails_root").on(t.rootId, t.chainId)],
);

/** Browsers that receive an account's push notifications (RFC 8030). Endpoint and keys are encrypted. */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id")
      .notNull()
      .references(() => accounts.id), // the owner
    chainId: integer("chain_id").notNull(),
    endpointHash: hex("endpoint_hash").notNull(), // SHA-256
    encrypted: hex("encrypted").notNull(),
    service: text("service").notNull(), // host of the push service
    userAgent: text("user_agent"),
    failure: text("failure"), // status of the newest attempt, if the push service refused it
    createdAt: instant("created_at").notNull(),
  },
  (t) => [uniqueIndex("push_devices_endpoint").on(t.rootId, t.chainId, t.endpointHash)],
);

/** Which kinds of notifications an account wants by which channel. No row means all of them. */
export const notificationSettings = pgTable(
  "notification_settings",
  {
    rootId: text("root_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    emailKinds: text("email_kinds").array().notNull(),
    pushKinds: text("push_kinds").array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.rootId, t.chainId] })],
);

/** Notifications sent, so that none is sent twice or too often. Kept for a few days. */
export const notificationSends = pgTable(
  "notification_sends",
  {
    target: text("target").notNull(), // an address, a device, or the operator
    kind: text("kind").notNull(),
    cause: text("cause").notNull(), // the change it reported (the newest of several)
    sentAt: instant("sent_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.target, t.kind, t.cause] }),
    index("notification_sends_newest").on(t.target, t.kind, t.sentAt),
    index("notification_sends_age").on(t.sentAt),
  ],
);

/** Things found by the clock that owners were notified of, once each: a payment about to expire, a failing webhook. */
export const noticedThings = pgTable(
  "noticed_things",
  {
    kind: text("kind").notNull(),
    subject: text("subject").notNull(), // ids; for something that can recur, with the time it began
    noticedAt: instant("noticed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] }), index("noticed_things_age").on(t.noticedAt)],
);

/** The inbox of the local stack: messages of local chains, which are not sent by a mail server. Empty elsewhere. */
export const localMail = pgTable(
  "local_mail",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    rootId: text("root_id").notNull(),
    chainId: integer("chain_id").notNull(),
    messageId: text("message_id").notNull(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    plain: text("plain").notNull(),
    html: text("html").notNull(),
    headers: text("headers").notNull(), // as JSON, those that mail programs act on
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("local_mail_message").on(t.messageId),
    index("local_mail_root").on(t.rootId, t.chainId, t.id),
    index("local_mail_age").on(t.createdAt),
  ],
);
