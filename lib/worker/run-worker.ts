import { setTimeout as sleep } from "node:timers/promises";
import type { ChainId } from "@/lib/base/network";
import { CHAIN_IDS, chainEnv } from "@/lib/chain/clients";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { watchHeads } from "@/lib/chain/watch-heads";
import { indexNext } from "@/lib/settlement/index-next";
import { sweep } from "@/lib/settlement/resend/sweep";
import { Heartbeat } from "./heartbeat";
import { loop, Wake } from "./loop";
import { runTimedWork } from "./run-timed-work";
import { runWebhooks } from "./run-webhooks";
import { NOTIFICATION_WORK } from "./timed-work";

// Local chains notify of new blocks; polling covers lost notifications.
const POLL_LOCAL_MS = 2_000;
const BUSY_MS = 500;
const POLL_LOST_MS = 150;
const POLL_PUBLIC_MS = 1_000;
/**
 * Several blocks are settled together with hardly more statements than one. So after each range the next waits for at
 * least this long, and if chain and worker share a busy machine for a multiple of the time that the last one took.
 */
const SPACING = { leastMs: 60, mostMs: 400, times: 3 };
const HALTED_MS = 5_000;
const BEAT_MS = 1_000;
const SWEEP_LOCAL_MS = 250;
const IDLE_LOCAL_MS = 600;
const SWEEP_PUBLIC_MS = 2_000;

/**
 * Runs the worker's loops until aborted: indexing and settlement, resending transactions, webhooks, notifications,
 * heartbeat, and all timed work (lib/base/scheduler/catalogue.ts). Any number of workers may share one database.
 */
export async function runWorker(signal: AbortSignal, heartbeat = new Heartbeat()): Promise<void> {
  const registered = CHAIN_IDS.map((chainId) => register(chainId, signal));
  await Promise.all([
    ...CHAIN_IDS.map((chainId, position) => registered[position]?.then(() => watch(chainId, signal))),
    // A worker counts as alive only once its relayers are registered, so that payments can use them.
    Promise.all(registered).then(() => beatForever(heartbeat, signal)),
    runWebhooks(signal),
    runTimedWork(signal),
    runTimedWork(signal, NOTIFICATION_WORK, () => []),
  ]);
}

/**
 * Registers the relayers of a chain. Retries until the chain responds, because it may start later than this process.
 */
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
    const started = performance.now();
    const progress = await indexNext(chainId);
    if (progress === "behind") return 0;
    // A public chain's node is elsewhere: how long it takes says nothing about this machine.
    const took = local ? performance.now() - started : 0;
    await sleep(Math.min(SPACING.mostMs, Math.max(SPACING.leastMs, SPACING.times * took)));
    if (progress === "halted") return HALTED_MS;
    if (!local) return POLL_PUBLIC_MS;
    if (progress === "busy") return BUSY_MS;
    return heads.alive() ? POLL_LOCAL_MS : POLL_LOST_MS;
  };
  await Promise.all([
    loop(`index ${chainId}`, signal, index, wake),
    loop(`sweep ${chainId}`, signal, async () => {
      const open = await sweep(chainId);
      return local ? (open ? SWEEP_LOCAL_MS : IDLE_LOCAL_MS) : SWEEP_PUBLIC_MS;
    }),
  ]);
}

function beatForever(heartbeat: Heartbeat, signal: AbortSignal): Promise<void> {
  return loop("heart-beat", signal, async () => {
    await heartbeat.beat();
    return BEAT_MS;
  });
}
