import { and, isNotNull, lt, or } from "drizzle-orm";
import { db, type Tx, withoutTimeouts } from "@/db/client";
import { sessions, siweNonces } from "@/db/schema/accounts";
import { relayUsage } from "@/db/schema/chain";
import { connections, openOffers, tokenRequests } from "@/db/schema/connections";
import { workerHeartbeats } from "@/db/schema/events";
import { screenedAddresses } from "@/db/schema/identity";
import { apiKeys, idempotencyKeys } from "@/db/schema/keys";
import { rateLimits } from "@/db/schema/limits";
import { localMail, noticedThings, notificationSends } from "@/db/schema/notifications";
import { sharedViews } from "@/db/schema/shared-views";
import { rebuiltPayments } from "@/db/schema/transfers";
import { NO_WRAPS } from "@/lib/accounts/keys/no-wraps";
import { removeOldRequests } from "@/lib/accounts/request-log/remove-old-requests";
import { earliestOpenPayment } from "@/lib/base/earliest-payment";
import { deleteDrafts } from "@/lib/payments/payouts/delete-drafts";
import { clearFinished } from "@/lib/payments/schedules/clear-finished";
import { SCREENING_HOURS } from "@/lib/payments/screening/require-screened";

const HOUR = 3_600_000;

/**
 * Deletes what is no longer needed: stored responses after 24 hours; the idempotency keys of access tokens after 48
 * hours; records of sent notifications after 72 hours; logged requests, mail of the local stack, and payouts that are
 * not complete, after 7 days; open offers, connections and noticed problems after 30 days; the tags of rebuilt payments after 38
 * days, when no window of a run that they may have paid is open; the text of finished schedules a day after their last
 * payment; sessions 30 days after they expired; and sign-in nonces, expired views, old quota counts, outdated
 * screenings, full rate-limit buckets, workers long gone, the secrets of expired API keys, and access tokens that were
 * never fetched.
 */
export async function cleanUp(now = new Date()): Promise<void> {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR);
  await patiently((tx) => tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, ago(24))));
  await patiently((tx) => tx.delete(rebuiltPayments).where(lt(rebuiltPayments.paidAt, earliestOpenPayment(now))));
  await patiently((tx) => deleteDrafts(tx, now));
  await patiently((tx) => clearFinished(tx, now));
  await removeOldRequests(now);
  await patiently((tx) => tx.delete(siweNonces).where(lt(siweNonces.expiresAt, now)));
  await patiently((tx) => tx.delete(sessions).where(lt(sessions.expiresAt, ago(24 * 30))));
  await patiently((tx) => tx.delete(sharedViews).where(lt(sharedViews.expiresAt, now)));
  await patiently((tx) => tx.delete(screenedAddresses).where(lt(screenedAddresses.screenedAt, ago(SCREENING_HOURS))));
  await patiently((tx) => tx.delete(relayUsage).where(lt(relayUsage.day, ago(48).toISOString().slice(0, 10))));
  await patiently((tx) => tx.delete(workerHeartbeats).where(lt(workerHeartbeats.beatAt, ago(1))));
  // The encrypted secrets of an expired key can still decrypt an available balance; with a stolen database, for ever. A
  // key that wraps anything wraps the key of the flags.
  await patiently((tx) =>
    tx
      .update(apiKeys)
      .set(NO_WRAPS)
      .where(and(lt(apiKeys.expiresAt, now), or(isNotNull(apiKeys.wrap), isNotNull(apiKeys.flagWrap)))),
  );
  await patiently((tx) =>
    tx
      .update(connections)
      .set({ encryptedToken: null })
      .where(and(lt(connections.codeExpiresAt, now), isNotNull(connections.encryptedToken))),
  );
  await patiently((tx) => tx.delete(connections).where(lt(connections.createdAt, ago(24 * 30))));
  await patiently((tx) => tx.delete(openOffers).where(lt(openOffers.createdAt, ago(24 * 30))));
  await patiently((tx) => tx.delete(tokenRequests).where(lt(tokenRequests.createdAt, ago(48))));
  await patiently((tx) => tx.delete(notificationSends).where(lt(notificationSends.sentAt, ago(72))));
  await patiently((tx) => tx.delete(noticedThings).where(lt(noticedThings.noticedAt, ago(24 * 30))));
  await patiently((tx) => tx.delete(localMail).where(lt(localMail.createdAt, ago(24 * 7))));
  // A full bucket is the same as no bucket.
  await patiently((tx) => tx.delete(rateLimits).where(lt(rateLimits.fullAt, now)));
}

/**
 * Runs a step without a statement time limit: after a day at the limit, or days without a worker, there may be very
 * many rows.
 */
async function patiently(step: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db().transaction(async (tx) => {
    await withoutTimeouts(tx);
    await step(tx);
  });
}
