import { relaxedSql } from "@/db/client";
import { STREAM_CHANNEL } from "@/lib/events/notify-streams";
import { log } from "@/lib/telemetry/log";

// Thousands of attempts end in a second; a person looks at one page.
const COLLECT_MS = 250;
const ended = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/**
 * Notifies the streams of a webhook's owner, soon, that attempts have ended: their results are written already. What a
 * killed worker had not announced goes out with the next results.
 */
export function notifyDeliveries(webhookId: string): void {
  ended.add(webhookId);
  timer ??= setTimeout(() => void flushDeliveryUpdates(), COLLECT_MS).unref();
}

/** Sends what has been collected. Also called when the process stops. */
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
