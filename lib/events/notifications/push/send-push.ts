import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { pushDevices } from "@/db/schema/notifications";
import { env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { publicFetch } from "@/lib/events/webhooks/delivery/public-fetch";
import { decryptDevice } from "./device-secrets";
import { encryptPush } from "./encrypt-push";
import { pushServiceOf } from "./push-service-of";
import { vapidHeader } from "./vapid";

export type DeviceRow = typeof pushDevices.$inferSelect;

/** The push service could not be reached, or it refused the message for now. Another attempt may succeed. */
class PushFailed extends Error {
  override readonly name = "PushFailed";
  constructor(readonly code: string) {
    super(`a push message was not taken: ${code}`);
  }
}

const ATTEMPT_MS = 20_000;
/** How long a push service keeps a message for a browser that is offline, in seconds. */
const TTL = 86_400;

/** Returns the address at which push services can contact the operator. */
function contactOf(): string {
  const { securityContact, mail, origin } = env();
  if (securityContact) return securityContact;
  return mail ? `mailto:${/<(.+)>$/.exec(mail.from)?.[1] ?? mail.from}` : origin;
}

/**
 * Sends a push message to one browser (RFC 8030). Removes the device if the push service no longer knows it; records
 * any other refusal on the device.
 *
 * @param topic a newer message replaces one of the same topic that still waits at the push service
 * @returns whether the push service accepted the message; false if the device is gone or the service refuses our
 *   messages
 * @throws PushFailed, UrlRefused and network errors when another attempt may succeed
 */
export async function sendPush(device: DeviceRow, text: string, topic: string, now: Date): Promise<boolean> {
  const { vapidKey } = env();
  if (!vapidKey) return false;
  const { local } = chainEnv(device.chainId as ChainId);
  const { endpoint, p256dh, auth } = decryptDevice(device.id, device.encrypted);
  pushServiceOf(endpoint, local);
  const keys = { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
  const response = await publicFetch(local)(endpoint, {
    method: "POST",
    headers: {
      "user-agent": "Halcyon-Notifications/1",
      authorization: vapidHeader(vapidKey, endpoint, contactOf(), now),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(TTL),
      topic,
      urgency: "high",
    },
    body: encryptPush(text, keys) as BodyInit,
    signal: AbortSignal.timeout(ATTEMPT_MS),
  });
  const { status, ok } = response;
  if (ok) {
    if (device.failure !== null) await noteFailure(device, null);
    return true;
  }
  if (status === 404 || status === 410) {
    await removeGone(device, now);
    return false;
  }
  await noteFailure(device, String(status));
  // These statuses are temporary.
  if (status === 429 || status >= 500) throw new PushFailed(String(status));
  return false;
}

async function noteFailure({ id }: DeviceRow, failure: string | null): Promise<void> {
  await db().update(pushDevices).set({ failure }).where(eq(pushDevices.id, id));
}

async function removeGone({ id, service }: DeviceRow, now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    const [gone] = await tx.delete(pushDevices).where(eq(pushDevices.id, id)).returning();
    if (!gone) return;
    const entry = { rootId: gone.rootId, chainId: gone.chainId as ChainId, actor: SYSTEM, target: id };
    await appendAudit(tx, { ...entry, action: "notifications.device_expired", before: { service } }, now);
  });
}
