import { and, desc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import {
  localMail,
  notificationEmails,
  notificationSends,
  notificationSettings,
  pushDevices,
} from "@/db/schema/notifications";
import { env } from "@/lib/base/env";
import { type ChainId, networkOf } from "@/lib/base/network";
import type { NotificationKind } from "@/lib/events/notification-kinds";
import { roomForMessage } from "@/lib/events/notifications/email/caps";
import { decryptEmail } from "@/lib/events/notifications/email/email-secrets";
import { noteBounce } from "@/lib/events/notifications/email/end-emails";
import { mailWay } from "@/lib/events/notifications/email/mail-way";
import { type DeviceRow, sendPush } from "@/lib/events/notifications/push/send-push";
import { isStillTrue } from "./is-still-true";
import { htmlBody, plainBody } from "./mail-body";
import { type Mail, MailRefused, sendMail } from "./mailer";
import { confirmationOf, type MessageKind, type NotificationMessage, notificationText } from "./messages";

/** The input of the job. */
interface Notification {
  target: string;
  kind: string;
  chainId: ChainId;
  cause: string;
  since: string;
}

/** The target that stands for the installation's operator. */
export const OPERATOR = "operator";

/** Minimum time between two messages of one kind to one target. */
const SPACING_MS = 5 * 60_000;
/** A message that could not be sent for this long is dropped: it is no longer news. */
const LATEST_MS = 24 * 3_600_000;

/**
 * Sends one message if it is still accurate, its reader wants it, and none of its kind was sent too recently. Safe to
 * repeat: a message recorded as sent is not sent again. If the worker dies between the mail server's response and that
 * record, the message goes out twice with the same `Message-ID`, because SMTP can't be asked whether a message was
 * accepted.
 *
 * @returns in how many milliseconds to try again; null when nothing is left to do
 * @throws MailFailed, PushFailed and similar errors when another attempt may succeed
 */
export async function sendNotification(input: Notification, now: Date, ca?: string): Promise<number | null> {
  if (now.getTime() - Date.parse(input.since) > LATEST_MS) return null;
  const kind = input.kind as MessageKind;
  const newest = await newestSend(input);
  if (newest?.cause === input.cause) return null;
  // A confirmation is not delayed, because someone is waiting for it. Its limit is checked when it is requested.
  if (kind !== "confirm" && newest) {
    const wait = newest.sentAt.getTime() + SPACING_MS - now.getTime();
    if (wait > 0) return wait;
  }
  if (input.target === OPERATOR) return sendToOperator(input, now, ca);
  return input.target.startsWith("dev_") ? sendToDevice(input, now) : sendToAddress(input, now, ca);
}

async function newestSend({ target, kind }: Notification) {
  const [row] = await db()
    .select({ cause: notificationSends.cause, sentAt: notificationSends.sentAt })
    .from(notificationSends)
    .where(and(eq(notificationSends.target, target), eq(notificationSends.kind, kind)))
    .orderBy(desc(notificationSends.sentAt))
    .limit(1);
  return row;
}

async function noteSent({ target, kind, cause }: Notification, now: Date): Promise<void> {
  await db().insert(notificationSends).values({ target, kind, cause, sentAt: now }).onConflictDoNothing();
}

async function isWanted(kind: NotificationKind, rootId: string, chainId: ChainId, channel: "email" | "push") {
  const [row] = await db()
    .select()
    .from(notificationSettings)
    .where(and(eq(notificationSettings.rootId, rootId), eq(notificationSettings.chainId, chainId)));
  if (!row) return true;
  return (channel === "email" ? row.emailKinds : row.pushKinds).includes(kind);
}

async function sendToDevice(input: Notification, now: Date): Promise<null | number> {
  const [device] = await db().select().from(pushDevices).where(eq(pushDevices.id, input.target));
  if (!device) return null;
  const kind = input.kind as NotificationKind;
  const chainId = device.chainId as ChainId;
  if (!(await isWanted(kind, device.rootId, chainId, "push"))) return null;
  if (!(await isStillTrue(kind, { rootId: device.rootId, chainId }, now))) return null;
  const wait = await roomForMessage({ account: device.rootId, device: device.id });
  if (wait > 0) return wait;
  if (await pushTo(device, kind, now)) await noteSent(input, now);
  return null;
}

function pushTo(device: DeviceRow, kind: NotificationKind, now: Date): Promise<boolean> {
  const { subject, lines, path } = notificationText(kind, networkOf(device.chainId));
  return sendPush(device, JSON.stringify({ title: subject, body: lines[0], path, tag: kind }), kind, now);
}

async function sendToAddress(input: Notification, now: Date, ca?: string): Promise<null | number> {
  const [row] = await db().select().from(notificationEmails).where(eq(notificationEmails.id, input.target));
  if (!row) return null;
  const { id, rootId, state } = row;
  const chainId = row.chainId as ChainId;
  const { address, confirm, unsubscribe } = decryptEmail(id, row.encrypted);
  let message: NotificationMessage;
  if (input.kind === "confirm") {
    if (state !== "pending" || confirm === null) return null;
    message = confirmationOf(confirm);
  } else {
    const kind = input.kind as NotificationKind;
    if (state !== "confirmed" || !(await isWanted(kind, rootId, chainId, "email"))) return null;
    if (!(await isStillTrue(kind, { rootId, chainId }, now))) return null;
    const wait = await roomForMessage({ account: `${chainId}:${rootId}`, address });
    if (wait > 0) return wait;
    message = notificationText(kind, networkOf(chainId));
  }
  const mail = mailOf(input, message, { address, unsubscribe });
  try {
    await deliver(mail, { rootId, chainId }, now, ca);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await noteBounce(id, error.status, now);
    return null;
  }
  await noteSent(input, now);
  return null;
}

async function sendToOperator(input: Notification, now: Date, ca?: string): Promise<null | number> {
  const { mail } = env();
  if (!mail?.operator) return null;
  const wait = await roomForMessage({ account: OPERATOR, address: mail.operator });
  if (wait > 0) return wait;
  const message = notificationText("relayer_gas", networkOf(input.chainId));
  await sendMail(mail, mailOf(input, message, { address: mail.operator, unsubscribe: null }), ca);
  await noteSent(input, now);
  return null;
}

/** Builds the email. */
function mailOf(
  { target, cause }: Notification,
  message: NotificationMessage,
  { address, unsubscribe }: { address: string; unsubscribe: string | null },
): Mail {
  const { origin } = env();
  const token = unsubscribe && encodeURIComponent(unsubscribe);
  const footer = { unsubscribe: token && `${origin}/notifications/unsubscribe?token=${token}` };
  const oneClick: Record<string, string> = token
    ? {
        "List-Unsubscribe": `<${origin}/api/notifications/unsubscribe?token=${token}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }
    : {};
  return {
    to: address,
    subject: message.subject,
    text: plainBody(message, origin, footer),
    html: htmlBody(message, origin, footer),
    messageId: `<${cause}.${target}@${new URL(origin).hostname}>`,
    // Suppresses out-of-office replies (RFC 3834).
    headers: { ...oneClick, "Auto-Submitted": "auto-generated" },
  };
}

async function deliver(
  mail: Mail,
  { rootId, chainId }: { rootId: string; chainId: ChainId },
  now: Date,
  ca?: string,
): Promise<void> {
  const server = env().mail;
  if (server) return sendMail(server, mail, ca);
  if (mailWay(chainId) !== "inbox") return;
  const { to, subject, text, html, messageId, headers } = mail;
  await db()
    .insert(localMail)
    .values({
      rootId,
      chainId,
      messageId,
      recipient: to,
      subject,
      plain: text,
      html,
      headers: JSON.stringify(headers),
      createdAt: now,
    })
    .onConflictDoNothing();
}
