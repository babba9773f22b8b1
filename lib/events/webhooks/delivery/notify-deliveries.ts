import { relaxedSql } from "@/db/client";
import { log } from "@/lib/base/telemetry/log";
import { STREAM_CHANNEL } from "@/lib/events/notify-streams";

// Collect updates, because thousands of attempts may end per second.
const COLLECT_MS = 250;
const ended = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/**
 * Notifies the streams of a webhook's owner, after a short delay, that attempts have ended. Their results must already
 * be written. If a worker is killed before that, its results are announced with the next ones.
 */
export function notifyDeliveries(webhookId: string): void {
  ended.add(webhookId);
  timer ??= setTimeout(() => void flushDeliveryUpdates(), COLLECT_MS).unref();
}

/** Sends the collected notifications. Also called when the process stops. */
export async function flushDeliveryUpdates(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const ids = [...ended];
  ended.clear();
  if (ids.length === 0) return;
  try {
    await relaxedSql()`
      select count(pg_notify(${STREAM_CHANNEL}, concat_ws('/', 'deliveries', chain_id, root_id, id)))
      from webhooks where id = any(${ids})`;
  } catch (error) {
    log().warn({ err: error }, "streams could not be notified of deliveries");
  }
}
