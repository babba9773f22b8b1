import { EVENT_TYPES } from "@/lib/events/catalogue";
import { HalcyonError } from "../api/errors";
import type { EventType } from "../api/webhooks/webhook-events";
import type { Halcyon } from "../client";
import type { HalcyonOptions } from "../context/platform/node-context";
import { CAUSES } from "./event-causes";

/** The result of triggering an event. */
export interface Triggered {
  event: EventType;
  /** `real`: the event happened. `sample`: a test event was sent to the webhooks that subscribe to it. */
  kind: "real" | "sample";
  /** The webhooks that got the sample. */
  webhooks?: string[];
}

/** The types for which only a sample can be sent. */
export const SAMPLE_EVENTS: readonly EventType[] = EVENT_TYPES.filter((type) => CAUSES[type] === undefined);

/**
 * Causes an event on the local stack, or sends a sample if the event can't be caused.
 *
 * @param settings of the client, used to create another account on the same service for events that need a second payer
 * @throws HalcyonError `not_found` on any other service, and for a sample that no webhook subscribes to; what the cause
 * throws
 */
export async function trigger(client: Halcyon, settings: HalcyonOptions, event: EventType): Promise<Triggered> {
  // Fails on anything but a local stack, before something is paid, created or sent.
  await client.testHelpers.failingRecipient();
  const cause = CAUSES[event];
  if (!cause) return { event, kind: "sample", webhooks: await sendSample(client, event) };
  await cause(client, settings);
  return { event, kind: "real" };
}

async function sendSample(client: Halcyon, event: EventType): Promise<string[]> {
  const { webhooks } = await client.webhooks.list();
  const ids = webhooks.flatMap((one) => (one.enabled && one.events.includes(event) ? [one.webhook_id] : []));
  if (ids.length === 0) {
    throw new HalcyonError(
      "not_found",
      `No webhook of yours subscribes to ${event}. Create one, then trigger it again.`,
    );
  }
  for (const id of ids) await client.webhooks.test(id, { event });
  return ids;
}
