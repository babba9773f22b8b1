import { and, asc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationEmails, notificationSettings, pushDevices } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/events/notification-kinds";
import { decryptEmail } from "./email/email-secrets";
import { mailWay } from "./email/mail-way";
import type { EmailRow } from "./email/set-email";
import type { DeviceRow } from "./push/send-push";
import { vapidPublicKey } from "./push/vapid";

/** An account's notification settings on a network. */
export interface NotificationSettings {
  mailWay: ReturnType<typeof mailWay>;
  email: { row: EmailRow; address: string } | null;
  /** Base64url; null if this installation sends no push messages. */
  pushKey: string | null;
  devices: DeviceRow[];
  kinds: { kind: NotificationKind; email: boolean; push: boolean }[];
}

/** Returns the account's notification settings on the network. */
export async function getSettings({ account, chainId }: SessionContext): Promise<NotificationSettings> {
  const { rootId } = account;
  const [[email], devices, [settings]] = await Promise.all([
    db()
      .select()
      .from(notificationEmails)
      .where(and(eq(notificationEmails.rootId, rootId), eq(notificationEmails.chainId, chainId))),
    db()
      .select()
      .from(pushDevices)
      .where(and(eq(pushDevices.rootId, rootId), eq(pushDevices.chainId, chainId)))
      .orderBy(asc(pushDevices.id)),
    db()
      .select()
      .from(notificationSettings)
      .where(and(eq(notificationSettings.rootId, rootId), eq(notificationSettings.chainId, chainId))),
  ]);
  const { vapidKey } = env();
  return {
    mailWay: mailWay(chainId),
    email: email ? { row: email, address: decryptEmail(email.id, email.encrypted).address } : null,
    pushKey: vapidKey ? vapidPublicKey(vapidKey).toString("base64url") : null,
    devices,
    kinds: NOTIFICATION_KINDS.map((kind) => ({
      kind,
      email: settings?.emailKinds.includes(kind) ?? true,
      push: settings?.pushKinds.includes(kind) ?? true,
    })),
  };
}
