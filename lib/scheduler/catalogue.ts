import { z } from "zod";
import { CHAIN_ID } from "@/lib/network";
import { declareJob } from "./declare-job";

// All timed work of the service is declared here, with its payload, its timeout and how it is retried. What each does
// is in lib/jobs/timed-work.ts. What follows a chain block by block, or watches over its own process, is no timed work:
// lib/jobs/run-worker.ts.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const OfChain = z.object({ chainId: z.union([z.literal(CHAIN_ID.test), z.literal(CHAIN_ID.live)]) });
const Nothing = z.object({});
const FOR_EVER = { runs: null, firstMs: 200, longestMs: 10 * SECOND } as const;

/** Anchors a day's ends of the audit log on a chain. */
export const ANCHOR_AUDIT = declareJob({
  name: "audit.anchor",
  input: OfChain,
  timeoutMs: 5 * MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});

/** Compares payments with a chain. */
export const RECONCILE_PAYMENTS = declareJob({
  name: "payments.reconcile",
  input: OfChain,
  timeoutMs: 2 * MINUTE,
  retry: FOR_EVER,
});

/** Closes payments awaiting approval whose window has passed. */
export const EXPIRE_HELD_PAYMENTS = declareJob({
  name: "held-payments.expire",
  input: Nothing,
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Finds what became of payments to `exact` sellers whose time is over, and returns what they did not take. */
export const RETURN_UNCLAIMED = declareJob({
  name: "exact-payments.return",
  input: Nothing,
  timeoutMs: 2 * MINUTE,
  retry: FOR_EVER,
});

/** Expires payment requests whose time has passed. */
export const EXPIRE_REQUESTS = declareJob({
  name: "payment-requests.expire",
  input: Nothing,
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Warns accounts of the end of their payment signing key, before and after. */
export const WARN_OF_EXPIRY = declareJob({
  name: "spenders.warn",
  input: Nothing,
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Deletes kept responses, nonces, ended sessions and the like. */
export const CLEAN_UP = declareJob({
  name: "clean-up",
  input: Nothing,
  timeoutMs: 10 * MINUTE,
  retry: FOR_EVER,
});

/** Deletes events and deliveries past their time. */
export const REMOVE_OLD_EVENTS = declareJob({
  name: "events.remove-old",
  input: Nothing,
  timeoutMs: 30 * MINUTE,
  retry: FOR_EVER,
});

/** Takes a run of a schedule on by the clock: to due, and to missed. */
export const SCHEDULE_RUN = declareJob({
  name: "schedule-runs.advance",
  input: z.object({ runId: z.string() }),
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Reads identity checks that are open at their provider. */
export const READ_IDENTITY_CHECKS = declareJob({
  name: "identity-checks.read",
  input: Nothing,
  timeoutMs: 10 * MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});

/** Ends a payout whose rows have all been paid or have failed, and pauses one that no request works on. */
export const WATCH_PAYOUT = declareJob({
  name: "payouts.watch",
  input: z.object({ payoutId: z.string() }),
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Sends one notification to one address, device, or the operator: what happened since the last one, in one message. */
export const NOTIFY = declareJob({
  name: "notifications.send",
  input: OfChain.extend({
    /** The id of an address or a device, or `operator`. */
    target: z.string(),
    kind: z.string(),
    /** The newest change it reports. */
    cause: z.string(),
    /** When that was, ISO 8601. */
    since: z.iso.datetime(),
  }),
  timeoutMs: MINUTE,
  retry: { runs: null, firstMs: 5 * SECOND, longestMs: 30 * MINUTE },
});

/** Finds what the clock alone makes worth a notification: payments about to expire, webhooks that keep failing. */
export const NOTICE = declareJob({ name: "notifications.notice", input: Nothing, timeoutMs: MINUTE, retry: FOR_EVER });

/** Looks which relayers have gas, and notifies the operator of those that run out. */
export const WATCH_GAS = declareJob({
  name: "relayers.watch-gas",
  input: OfChain,
  timeoutMs: MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});
