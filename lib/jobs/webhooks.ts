import { Logger, run } from "graphile-worker";
import { z } from "zod";
import { sql } from "@/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { CHANGED_CHANNEL } from "@/lib/webhooks/changed";
import { closeAbandoned, dueWebhooks } from "@/lib/webhooks/due";
import { DELIVER_JOB } from "@/lib/webhooks/enqueue";
import { Pumps } from "@/lib/webhooks/pumps";
import { loop } from "./loop";

// Bells are rung and forgotten: a job holds no place for longer than it takes to wake a pump.
const JOBS_AT_ONCE = 4;
// Notifications come at once; this is for when they do not.
const POLL_MS = 2_000;
const LOOK_MS = 500;

const Bell = z.object({ webhook_id: z.string() });

/** Delivers webhooks until aborted: on the bell of a new event, and on the clock for retries. */
export async function runWebhooks(signal: AbortSignal): Promise<void> {
  const pumps = new Pumps();
  const ended = new AbortController();
  await Promise.all([
    loop("webhook bells", AbortSignal.any([signal, ended.signal]), async () => {
      await listen(pumps, signal);
      ended.abort();
      return 0;
    }),
    loop("webhooks due", signal, async () => {
      const { due, abandoned } = await dueWebhooks(new Date());
      for (const id of due) pumps.ring(id);
      for (const id of abandoned) await closeAbandoned(id);
      return LOOK_MS;
    }),
  ]);
  await pumps.stop();
}

async function listen(pumps: Pumps, signal: AbortSignal): Promise<void> {
  const changes = await sql().listen(CHANGED_CHANNEL, (id) => pumps.interrupt(id));
  const connection = new URL(env().databaseUrl);
  connection.searchParams.set("options", "-c synchronous_commit=off");
  const runner = await run({
    connectionString: connection.href,
    concurrency: JOBS_AT_ONCE,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === "error") log().error({ source: "graphile-worker" }, "the job queue reports an error");
      else log().trace({ source: "graphile-worker", level, message });
    }),
    taskList: {
      [DELIVER_JOB]: async (payload) => pumps.ring(Bell.parse(payload).webhook_id),
    },
  });
  const stop = () => void runner.stop().catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await runner.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    await changes.unlisten();
  }
}
