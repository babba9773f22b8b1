import { sql } from "@/db/client";
import { DUE_CHANNEL } from "@/lib/events/fan-out";
import { DeliveryWorker } from "@/lib/events/webhooks/delivery/delivery-worker";
import { closeAbandoned, dueWebhooks } from "@/lib/events/webhooks/delivery/due-webhooks";
import { CHANGED_CHANNEL } from "@/lib/events/webhooks/notify-changed";
import { loop } from "./loop";

// Notifications arrive immediately; polling is for retries and lost notifications.
const LOOK_MS = 500;

/** Delivers webhooks until aborted: immediately when an event is notified, and by polling for retries. */
export async function runWebhooks(signal: AbortSignal): Promise<void> {
  const deliveryWorker = new DeliveryWorker();
  const listened = new AbortController();
  const listening: { unlisten(): Promise<void> }[] = [];
  await Promise.all([
    loop("webhook notifications", AbortSignal.any([signal, listened.signal]), async () => {
      // Once it listens, the driver reconnects by itself. Polling finds what is notified while the connection is down.
      listening.push(await sql().listen(CHANGED_CHANNEL, (id) => deliveryWorker.interrupt(id)));
      listening.push(await sql().listen(DUE_CHANNEL, (id) => deliveryWorker.notify(id)));
      listened.abort();
      return 0;
    }),
    loop("webhooks due", signal, async () => {
      const { due, abandoned } = await dueWebhooks(new Date());
      for (const id of due) deliveryWorker.notify(id);
      for (const id of abandoned) await closeAbandoned(id);
      return LOOK_MS;
    }),
  ]);
  await Promise.all(listening.map((one) => one.unlisten()));
  await deliveryWorker.stop();
}
