import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { pushDevices } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/**
 * Removes a device: it gets no more push messages.
 *
 * @throws ApiError `not_found` for an unknown device, and for one of another account or of the other network
 */
export async function removeDevice(ctx: SessionContext, id: string, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  await db().transaction(async (tx) => {
    const [gone] = await tx
      .delete(pushDevices)
      .where(and(eq(pushDevices.id, id), eq(pushDevices.rootId, rootId), eq(pushDevices.chainId, chainId)))
      .returning({ service: pushDevices.service });
    if (!gone) throw new ApiError("not_found", "You have no device with this id on this network.");
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "notifications.device_removed", target: id };
    await appendAudit(tx, { ...entry, before: gone }, now);
  });
}
