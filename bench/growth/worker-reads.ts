import { db } from "@/db/client";
import { warnOfExpiry } from "@/lib/agents/account-secret/warn-of-expiry";
import { nextJobAt, takeJobs } from "@/lib/base/scheduler/job-rows";
import { isStillTrue } from "@/lib/events/notifications/delivery/is-still-true";
import { notice } from "@/lib/events/notifications/delivery/notice";
import { notifyOwner } from "@/lib/events/notify-owner";
import { advance } from "@/lib/events/webhooks/delivery/advance";
import { dueWebhooks } from "@/lib/events/webhooks/delivery/due-webhooks";
import { removeOld } from "@/lib/events/webhooks/delivery/remove-old";
import { closeExpired } from "@/lib/payments/approvals/close-expired";
import { returnUnclaimed } from "@/lib/payments/exact/return-unclaimed";
import { expireRequests } from "@/lib/payments/requests/expire-requests";
import { behindPolicy } from "@/lib/settlement/behind-policy";
import { failOutdated } from "@/lib/settlement/fail-outdated";
import { readMismatches } from "@/lib/settlement/read-mismatches";
import { reconcilePayments } from "@/lib/settlement/reconcile-payments";
import { checkOpen } from "@/lib/settlement/resend/check-open";
import { nudgeClock } from "@/lib/settlement/resend/nudge-clock";
import { reprice } from "@/lib/settlement/resend/reprice";
import { resendFailed } from "@/lib/settlement/resend/resend-failed";
import { sendAgain } from "@/lib/settlement/resend/send-again";
import { TIMED_WORK } from "@/lib/worker/timed-work";
import type { Reads } from "./lists";
import { CHAIN, ctx, id, type Middle, place } from "./seeded";

const OWNER = { rootId: ctx.account.rootId, chainId: CHAIN } as const;

/** Runs something that finds nothing to do: of such work, only its search for work can grow. */
const idle = (work: () => Promise<unknown>) => () => work().then(() => 1);

/** What the worker asks again and again, most of the time to find nothing. As much is open in both databases. */
export function workerReads({ accounts }: Middle): Reads {
  const names = TIMED_WORK.map(({ name }) => name);
  const now = () => new Date();
  const taking = () => ({ worker: "bench", names, now: now(), until: now(), limit: 10 });
  return {
    "worker: jobs that are due": idle(() => takeJobs(taking())),
    "worker: when the next job is due": idle(() => nextJobAt([...names, "payment-keys.warn"], now())),
    "worker: webhooks with something due": idle(() => dueWebhooks(now())),
    "worker: what a webhook's worker does next": idle(() =>
      advance({
        worker: "bench",
        webhookId: id("wh_", accounts + 1),
        now: now(),
        until: now(),
        results: [],
        health: null,
        held: [],
        limit: 128,
        idle: true,
      }),
    ),
    "worker: webhooks to remove": idle(() => removeOld(now())),
    "worker: transactions to check": idle(() => checkOpen(CHAIN)),
    "worker: transactions to send again": idle(() => sendAgain(CHAIN)),
    "worker: transactions to reprice": idle(() => reprice(CHAIN)),
    "worker: operations to repeat": idle(() => resendFailed(CHAIN)),
    "worker: whether a deadline has passed": idle(() => nudgeClock(CHAIN)),
    "worker: operations under an old policy": idle(() => db().transaction((tx) => failOutdated(tx, CHAIN, now()))),
    "worker: what waits behind a policy": idle(() =>
      db().transaction((tx) => behindPolicy(tx, { chainId: CHAIN, account: place(1), policyVersion: 0n })),
    ),
    "worker: payments to compare with the chain": idle(() => reconcilePayments(CHAIN, now())),
    "worker: payments that differ from the chain": idle(readMismatches),
    "worker: held payments to close": idle(() => closeExpired()),
    "worker: payment requests to expire": idle(() => expireRequests()),
    "worker: exact payments to return": idle(() => returnUnclaimed()),
    "worker: signing keys that expire": idle(() => warnOfExpiry()),
    "worker: what owners should notice": idle(() => notice()),
    "worker: whether a notification is still true": idle(() => isStillTrue("approval_needed", OWNER, now())),
    "worker: whom to notify": idle(() => db().transaction((tx) => notifyOwner(tx, OWNER, "approval_needed", now()))),
  };
}
