import { and, isNotNull, lt, or } from "drizzle-orm";
import { db, type Tx, unhurried } from "@/db/client";
import { sessions, siweNonces } from "@/db/schema/accounts";
import { relayUsage } from "@/db/schema/chain";
import { connections, openOffers, tokenRequests } from "@/db/schema/connections";
import { disclosures } from "@/db/schema/disclosures";
import { workerHeartbeats } from "@/db/schema/events";
import { screenedAddresses } from "@/db/schema/identity";
import { apiKeys, idempotencyKeys } from "@/db/schema/keys";
import { rateLimits } from "@/db/schema/limits";
import { localMail, noticedThings, notificationSends } from "@/db/schema/notifications";
import { rebuiltPayments } from "@/db/schema/transfers";
import { SCREENING_HOURS } from "@/lib/screening/require-screened";

const HOUR = 3_600_000;

/**
 * Deletes what has had its day: kept responses and tags of rebuilt payments after 24 hours, sign-in nonces, ended
 * sessions, old quota counts, screenings that are too old to rely on, workers long gone, what expired API keys wrapped, access tokens
 * that no one fetched, connections after 30 days, after 48 hours open offers
 * and the idempotency keys of access tokens, what notifications were sent after 72, and mail of the local stack after 7 days.
 */
export async function cleanUp(now = new Date()): Promise<void> {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR);
  await remove((tx) => tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, ago(24))));
  await remove((tx) => tx.delete(rebuiltPayments).where(lt(rebuiltPayments.paidAt, ago(24))));
  await remove((tx) => tx.delete(siweNonces).where(lt(siweNonces.expiresAt, now)));
  await remove((tx) => tx.delete(sessions).where(lt(sessions.expiresAt, ago(24 * 30))));
  await remove((tx) => tx.delete(disclosures).where(lt(disclosures.expiresAt, now)));
  await remove((tx) => tx.delete(screenedAddresses).where(lt(screenedAddresses.screenedAt, ago(SCREENING_HOURS))));
  await remove((tx) => tx.delete(relayUsage).where(lt(relayUsage.day, ago(48).toISOString().slice(0, 10))));
  await remove((tx) => tx.delete(workerHeartbeats).where(lt(workerHeartbeats.beatAt, ago(1))));
  // What an expired key wraps opens a budget still: with a stolen database it would for ever.
  await db()
    .update(apiKeys)
    .set({ wrap: null, flagWrap: null })
    .where(and(lt(apiKeys.expiresAt, now), or(isNotNull(apiKeys.wrap), isNotNull(apiKeys.flagWrap))));
  await db()
    .update(connections)
    .set({ sealedToken: null })
    .where(and(lt(connections.codeExpiresAt, now), isNotNull(connections.sealedToken)));
  await remove((tx) => tx.delete(connections).where(lt(connections.createdAt, ago(24 * 30))));
  await remove((tx) => tx.delete(openOffers).where(lt(openOffers.createdAt, ago(48))));
  await remove((tx) => tx.delete(tokenRequests).where(lt(tokenRequests.createdAt, ago(48))));
  await remove((tx) => tx.delete(notificationSends).where(lt(notificationSends.sentAt, ago(72))));
  await remove((tx) => tx.delete(noticedThings).where(lt(noticedThings.noticedAt, ago(24 * 30))));
  await remove((tx) => tx.delete(localMail).where(lt(localMail.createdAt, ago(24 * 7))));
  // A full bucket and none are the same.
  await remove((tx) => tx.delete(rateLimits).where(lt(rateLimits.fullAt, now)));
}

/** There may be very much of it: after a day at the limit, or after days without a worker. */
async function remove(step: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db().transaction(async (tx) => {
    await unhurried(tx);
    await step(tx);
  });
}
