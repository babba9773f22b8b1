import { z } from "zod";
import { CHAIN_ID } from "@/lib/base/network";
import { declareJob } from "./declare-job";

// Declares all scheduled jobs of the service, each with its input, timeout and retries. lib/worker/timed-work.ts
// implements them. Work that follows a chain block by block, or watches its own process, is not a scheduled job; see
// lib/worker/run-worker.ts.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const OfChain = z.object({ chainId: z.union([z.literal(CHAIN_ID.test), z.literal(CHAIN_ID.live)]) });
const Nothing = z.object({});
const FOR_EVER = { runs: null, firstMs: 200, longestMs: 10 * SECOND } as const;

/** Anchors the daily heads of the audit log on a chain. */
export const ANCHOR_AUDIT = declareJob({
  name: "audit.anchor",
  input: OfChain,
  timeoutMs: 5 * MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});

/** Compares recorded payments with a chain. */
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

/** Settles payments to `exact` sellers whose time is over, and returns the money that sellers did not take. */
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

/** Warns accounts before and after their payment key expires. */
export const WARN_OF_EXPIRY = declareJob({
  name: "payment-keys.warn",
  input: Nothing,
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Deletes stored responses, nonces, ended sessions and other expired rows. */
export const CLEAN_UP = declareJob({
  name: "clean-up",
  input: Nothing,
  timeoutMs: 10 * MINUTE,
  retry: FOR_EVER,
});

/** Deletes events and deliveries after their retention period. */
export const REMOVE_OLD_EVENTS = declareJob({
  name: "events.remove-old",
  input: Nothing,
  timeoutMs: 30 * MINUTE,
  retry: FOR_EVER,
});

/** Advances a run of a schedule by the clock: to `due`, then to `missed`. */
export const SCHEDULE_RUN = declareJob({
  name: "schedule-runs.advance",
  input: z.object({ runId: z.string() }),
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/** Reads the state of identity checks that are open at the provider. */
export const READ_IDENTITY_CHECKS = declareJob({
  name: "identity-checks.read",
  input: Nothing,
  timeoutMs: 10 * MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});

/** Finishes a payout whose rows are all paid or failed, and pauses one that no request works on. */
export const WATCH_PAYOUT = declareJob({
  name: "payouts.watch",
  input: z.object({ payoutId: z.string() }),
  timeoutMs: MINUTE,
  retry: FOR_EVER,
});

/**
 * Sends one notification to one address, one device, or the operator. Everything that happened since the last one goes
 * into one message.
 */
export const NOTIFY = declareJob({
  name: "notifications.send",
  input: OfChain.extend({
    /** The id of an address or a device, or `operator`. */
    target: z.string(),
    kind: z.string(),
    /** Identifies the newest change that it reports. */
    cause: z.string(),
    /** The time of that change, ISO 8601. */
    since: z.iso.datetime(),
  }),
  timeoutMs: MINUTE,
  retry: { runs: null, firstMs: 5 * SECOND, longestMs: 30 * MINUTE },
});

/**
 * Finds what only the passing of time makes worth a notification: payments about to expire, webhooks that keep failing.
 */
export const NOTICE = declareJob({ name: "notifications.notice", input: Nothing, timeoutMs: MINUTE, retry: FOR_EVER });

/** Checks the gas balances of the relayers, and notifies the operator of those that run low. */
export const WATCH_GAS = declareJob({
  name: "relayers.watch-gas",
  input: OfChain,
  timeoutMs: MINUTE,
  retry: { ...FOR_EVER, longestMs: 5 * MINUTE },
});
