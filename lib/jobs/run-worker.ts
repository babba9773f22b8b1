import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { anchorHeads } from "@/lib/audit/anchor-heads";
import { warnOfExpiry } from "@/lib/budget-secret/warn-of-expiry";
import { holdingChainLock } from "@/lib/chain/advisory-lock";
import { CHAIN_IDS, chainEnv } from "@/lib/chain/clients";
import { watchHeads } from "@/lib/chain/watch-heads";
import type { ChainId } from "@/lib/network";
import { registerRelayers } from "@/lib/operations/register-relayers";
import { indexNext } from "@/lib/settlement/index-next";
import { reconcilePayments } from "@/lib/settlement/reconcile-payments";
import { sweep } from "@/lib/settlement/sweep/sweep";
import { closeExpired } from "@/lib/transfers/held/close-expired";
import { removeOld } from "@/lib/webhooks/delivery/remove-old";
import { cleanUp } from "./clean-up";
import { beat } from "./heartbeat";
import { loop, Wake } from "./loop";
import { runWebhooks } from "./webhooks";

// Local chains tell of new blocks; polling is for when they do not.
const POLL_LOCAL_MS = 2_000;
const BUSY_MS = 500;
const POLL_LOST_MS = 150;
const POLL_PUBLIC_MS = 1_000;
// Under load several blocks are settled together, in as many statements as one.
const SPACING_MS = 60;
const HALTED_MS = 5_000;
const BEAT_MS = 1_000;
// Nothing of a day is urgent, least of all beside what a process does when it starts.
const ANCHOR_MS = 300_000;
const SWEEP_LOCAL_MS = 250;
const IDLE_LOCAL_MS = 600;
const SWEEP_PUBLIC_MS = 2_000;
// A payment that is not settled for good is held against the chain so often.
const RECONCILE_LOCAL_MS = 10_000;
const RECONCILE_PUBLIC_MS = 60_000;

/**
 * Runs the worker's loops until aborted: index and settlement, resending, webhooks, held payments, ends of
 * spenders, heart-beat and cleaning. Any number of workers may run side by side on one database.
 */
export async function runWorker(signal: AbortSignal): Promise<void> {
  const registered = CHAIN_IDS.map((chainId) => register(chainId, signal));
  await Promise.all([
    ...CHAIN_IDS.map((chainId, position) => registered[position]?.then(() => watch(chainId, signal))),
    // A worker counts as alive once payments find their relayers.
    Promise.all(registered).then(() => beatForever(signal)),
    ...CHAIN_IDS.map((chainId) => anchorDaily(chainId, signal)),
    runWebhooks(signal),
    loop("held payments", signal, closeExpired),
    loop("spenders", signal, () => warnOfExpiry()),
    loop("clean-up", signal, async () => {
      await cleanUp();
      await removeOld(new Date(), signal);
      return 600_000;
    }),
  ]);
}

/** The comparison of payments with a chain, by one worker at a time. */
async function reconcile(chainId: ChainId): Promise<number> {
  const pause = chainEnv(chainId).local ? RECONCILE_LOCAL_MS : RECONCILE_PUBLIC_MS;
  await holdingChainLock("reconcile", chainId, async () => {
    await reconcilePayments(chainId, new Date(Date.now() - pause));
  });
  return pause / 2;
}

/** Tries until the chain answers: it may start later than we do. */
async function register(chainId: ChainId, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  await loop(`relayers ${chainId}`, AbortSignal.any([signal, done.signal]), async () => {
    await registerRelayers(chainId);
    done.abort();
    return 0;
  });
}

async function watch(chainId: ChainId, signal: AbortSignal): Promise<void> {
  const { local } = chainEnv(chainId);
  const wake = new Wake();
  const heads = watchHeads(chainId, wake.now);
  signal.addEventListener("abort", heads.end, { once: true });
  const index = async () => {
    const progress = await indexNext(chainId);
    if (progress === "behind") return 0;
    await sleep(SPACING_MS);
    if (progress === "halted") return HALTED_MS;
    if (!local) return POLL_PUBLIC_MS;
    if (progress === "busy") return BUSY_MS;
    return heads.alive() ? POLL_LOCAL_MS : POLL_LOST_MS;
  };
  await Promise.all([
    loop(`index ${chainId}`, signal, index, wake),
    loop(`reconcile ${chainId}`, signal, () => reconcile(chainId)),
    loop(`sweep ${chainId}`, signal, async () => {
      const open = await sweep(chainId);
      return local ? (open ? SWEEP_LOCAL_MS : IDLE_LOCAL_MS) : SWEEP_PUBLIC_MS;
    }),
  ]);
}

async function anchorDaily(chainId: ChainId, signal: AbortSignal): Promise<void> {
  await sleep(ANCHOR_MS, undefined, { signal }).catch(() => {});
  await loop(`audit anchors ${chainId}`, signal, async () => {
    await anchorHeads(chainId);
    return ANCHOR_MS;
  });
}

function beatForever(signal: AbortSignal): Promise<void> {
  const workerId = randomUUID();
  return loop("heart-beat", signal, async () => {
    await beat(workerId);
    return BEAT_MS;
  });
}
