import { readOpenChecks } from "@/lib/accounts/kyc/read-open-checks";
import { warnOfExpiry } from "@/lib/agents/account-secret/warn-of-expiry";
import {
  ANCHOR_AUDIT,
  CLEAN_UP,
  EXPIRE_HELD_PAYMENTS,
  EXPIRE_REQUESTS,
  NOTICE,
  NOTIFY,
  READ_IDENTITY_CHECKS,
  RECONCILE_PAYMENTS,
  REMOVE_OLD_EVENTS,
  RETURN_UNCLAIMED,
  SCHEDULE_RUN,
  WARN_OF_EXPIRY,
  WATCH_GAS,
  WATCH_PAYOUT,
} from "@/lib/base/scheduler/catalogue";
import { type BoundJob, bindJob, type Job } from "@/lib/base/scheduler/declare-job";
import { holdingChainLock } from "@/lib/chain/advisory-lock";
import { CHAIN_IDS, chainEnv } from "@/lib/chain/clients";
import { anchorHeads } from "@/lib/events/audit/anchor-heads";
import { notice } from "@/lib/events/notifications/delivery/notice";
import { sendNotification } from "@/lib/events/notifications/delivery/send-notification";
import { watchGas } from "@/lib/events/notifications/delivery/watch-gas";
import { removeOld } from "@/lib/events/webhooks/delivery/remove-old";
import { closeExpired } from "@/lib/payments/approvals/close-expired";
import { returnUnclaimed } from "@/lib/payments/exact/return-unclaimed";
import { watchPayout } from "@/lib/payments/payouts/watch-payout";
import { expireRequests } from "@/lib/payments/requests/expire-requests";
import { advanceRun } from "@/lib/payments/schedules/runs/advance-run";
import { reconcilePayments } from "@/lib/settlement/reconcile-payments";
import { cleanUp } from "./clean-up";

// How often a payment that is not settled for good is compared with the chain.
const RECONCILE_LOCAL_MS = 10_000;
const RECONCILE_PUBLIC_MS = 60_000;
// Daily work is never urgent, and at start it should not compete with what a service does then.
const ANCHOR_MS = 300_000;
const CLEAN_UP_MS = 600_000;

/** What each job of the catalogue does. A job returns after how many milliseconds it runs again. */
export const TIMED_WORK: readonly BoundJob[] = [
  bindJob(ANCHOR_AUDIT, async ({ chainId }) => {
    await anchorHeads(chainId);
    return ANCHOR_MS;
  }),
  bindJob(RECONCILE_PAYMENTS, async ({ chainId }) => {
    const pause = chainEnv(chainId).local ? RECONCILE_LOCAL_MS : RECONCILE_PUBLIC_MS;
    // Workers of an older release take this lock for the same work.
    await holdingChainLock("reconcile", chainId, async () => {
      await reconcilePayments(chainId, new Date(Date.now() - pause));
    });
    return pause / 2;
  }),
  bindJob(EXPIRE_HELD_PAYMENTS, () => closeExpired()),
  bindJob(RETURN_UNCLAIMED, () => returnUnclaimed()),
  bindJob(EXPIRE_REQUESTS, () => expireRequests()),
  bindJob(READ_IDENTITY_CHECKS, () => readOpenChecks()),
  bindJob(WARN_OF_EXPIRY, () => warnOfExpiry()),
  bindJob(SCHEDULE_RUN, ({ runId }, { now }) => advanceRun(runId, now)),
  bindJob(CLEAN_UP, async () => {
    await cleanUp();
    return CLEAN_UP_MS;
  }),
  bindJob(REMOVE_OLD_EVENTS, async (_, { signal }) => {
    await removeOld(new Date(), signal);
    return CLEAN_UP_MS;
  }),
  bindJob(WATCH_PAYOUT, ({ payoutId }, { now }) => watchPayout(payoutId, now)),
  bindJob(NOTICE, () => notice()),
  bindJob(WATCH_GAS, ({ chainId }, { now }) => watchGas(chainId, now)),
];

/** Jobs that wait for mail servers and push services. They run apart from the others so as not to hold them up. */
export const NOTIFICATION_WORK: readonly BoundJob[] = [
  bindJob(NOTIFY, (notification, { now }) => sendNotification(notification, now)),
];

/** Returns the jobs that must always exist, and when each runs for the first time. */
export function standingJobs(now: Date): { name: string; key: string; input: object; at: Date }[] {
  const onceFor = ({ name }: Job<Record<string, never>>, at = now) => [{ name, key: "", input: {}, at }];
  const perChain = ({ name }: Job<{ chainId: (typeof CHAIN_IDS)[number] }>, at = now) =>
    CHAIN_IDS.map((chainId) => ({ name, key: String(chainId), input: { chainId }, at }));
  return [
    ...perChain(ANCHOR_AUDIT, new Date(now.getTime() + ANCHOR_MS)),
    ...perChain(RECONCILE_PAYMENTS),
    ...onceFor(EXPIRE_HELD_PAYMENTS),
    ...onceFor(RETURN_UNCLAIMED),
    ...onceFor(EXPIRE_REQUESTS),
    ...onceFor(READ_IDENTITY_CHECKS),
    ...onceFor(WARN_OF_EXPIRY),
    ...onceFor(CLEAN_UP),
    ...onceFor(REMOVE_OLD_EVENTS),
    ...onceFor(NOTICE),
    ...perChain(WATCH_GAS),
  ];
}
