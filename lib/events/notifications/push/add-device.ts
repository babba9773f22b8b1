import { createECDH, createHash } from "node:crypto";
import { and, count, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { pushDevices } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { chainEnv } from "@/lib/chain/clients";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { encryptDevice } from "./device-secrets";
import { pushServiceOf } from "./push-service-of";
import type { AddDeviceInput } from "./schema";
import type { DeviceRow } from "./send-push";

/** The most browsers of one account on one network. */
const MOST_DEVICES = 10;

/**
 * Registers a browser for push notifications. The same subscription again updates the keys of the existing device.
 *
 * @throws ApiError `invalid_request` if the endpoint does not belong to a push service, the key is invalid, the account
 *   has too many devices, or this installation sends no push messages
 */
export async function addDevice(
  ctx: SessionContext,
  { endpoint, keys, user_agent }: AddDeviceInput,
  now = new Date(),
): Promise<DeviceRow> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  if (!env().vapidKey) throw new ApiError("invalid_request", "This installation sends no push notifications.");
  const service = pushServiceOf(endpoint, chainEnv(chainId).local);
  requirePoint(keys.p256dh);
  const endpointHash = toHex(createHash("sha256").update(endpoint).digest());
  return db().transaction(async (tx) => {
    // Serializes concurrent calls, so that two can't both take the last place.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`devices ${chainId} ${rootId}`}, 0))`);
    const mine = and(eq(pushDevices.rootId, rootId), eq(pushDevices.chainId, chainId));
    const [same] = await tx
      .select({ id: pushDevices.id })
      .from(pushDevices)
      .where(and(mine, eq(pushDevices.endpointHash, endpointHash)));
    const [existing] = await tx.select({ count: count() }).from(pushDevices).where(mine);
    if (!same && (existing?.count ?? 0) >= MOST_DEVICES) {
      throw new ApiError("invalid_request", `An account has at most ${MOST_DEVICES} devices. Remove one first.`);
    }
    const id = same?.id ?? newId("pushDevice");
    const values = {
      encrypted: encryptDevice(id, { endpoint, ...keys }),
      service,
      userAgent: user_agent ?? null,
      failure: null,
    };
    const [row] = await tx
      .insert(pushDevices)
      .values({ id, rootId, chainId, endpointHash, createdAt: now, ...values })
      .onConflictDoUpdate({ target: pushDevices.id, set: values })
      .returning();
    if (!row) throw new Error("a device was not written");
    if (same) return row;
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "notifications.device_added", target: id };
    await appendAudit(tx, { ...entry, after: { service } }, now);
    return row;
  });
}

/** Refuses a key that is not a point of the curve: every message to it would fail. */
function requirePoint(p256dh: string): void {
  try {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(p256dh, "base64url"));
  } catch {
    throw new ApiError("invalid_request", "p256dh is not a public key of P-256.", { param: "keys.p256dh" });
  }
}
