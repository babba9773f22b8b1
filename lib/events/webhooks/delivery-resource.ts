import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/base/response-fields";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { DeliveryRow } from "./find-webhook";
import type { DeliveryDetails } from "./get-delivery";
import type { DeliveryPage } from "./list-deliveries";
import { sentRequest } from "./sent-request";

const RESPONSE_BODY =
  "The first 256 bytes of the response as text; null without one, for a redirect, and while the webhook's `store_responses` is false.";

/** One attempt to deliver. */
const AttemptResource = z
  .object({
    attempt: z.int().meta({ description: "Number of the attempt, from 1." }),
    url: z.string().meta({ description: "Where it went." }),
    attempted_at: timeField("When it began."),
    duration_ms: z.int().meta({ description: "How long it took, in milliseconds." }),
    response_code: z.int().nullable().meta({ description: "HTTP status of the response; null without one." }),
    response_body: z.string().nullable().meta({ description: RESPONSE_BODY }),
    error: z.string().nullable().meta({ description: "Why it failed, by stage; null for a success." }),
  })
  .meta({ id: "DeliveryAttempt", description: "One attempt to deliver an event, and the response to it." });
export type AttemptResource = z.infer<typeof AttemptResource>;

/** One event being delivered to one endpoint, with every attempt. */
export const DeliveryResource = z
  .object({
    delivery_id: idField("delivery", "Identifies the delivery."),
    webhook_id: idField("webhook", "The subscription it belongs to."),
    event_id: idField("event", "Identifies the event. A replay has the same id."),
    event: z.enum(EVENT_TYPES).meta({ description: "Type of the event." }),
    url: z.string().meta({ description: "Where the newest attempt went." }),
    trigger: z.enum(["automatic", "replay", "test"]).meta({
      description:
        "`automatic`: the event happened. `replay`: you replayed or redelivered it. `test`: you sent a test event.",
    }),
    status: z.enum(["pending", "succeeded", "failed", "exhausted"]).meta({
      description:
        "`pending`: not attempted yet. `succeeded`: your endpoint returned a 2xx status. `failed`: another attempt follows at `next_attempt_at`. `exhausted`: no attempt follows.",
    }),
    attempt: z.int().meta({ description: "Number of attempts so far." }),
    retry_count: z.int().meta({ description: "Number of attempts after the first." }),
    response_code: z.int().nullable().meta({ description: "HTTP status of the newest response; null without one." }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: RESPONSE_BODY.replace("the response", "the newest response") }),
    error: z.string().nullable().meta({
      description:
        "Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`.",
    }),
    duration_ms: z.int().nullable().meta({ description: "How long the newest attempt took, in milliseconds." }),
    attempted_at: timeOrNull("When the newest attempt began."),
    attempts: z.array(AttemptResource).meta({ description: "Every attempt so far, oldest first." }),
    next_attempt_at: timeOrNull(
      "The earliest time of the next attempt, never in the past. While your endpoint keeps failing, its deliveries wait in a queue.",
    ),
    created_at: timeField("When the delivery was queued."),
  })
  .meta({ id: "Delivery", description: "One event on its way to one endpoint, with every attempt." });
export type DeliveryResource = z.infer<typeof DeliveryResource>;

/** A page of deliveries. */
export const DeliveryList = z
  .object({
    deliveries: z.array(DeliveryResource).meta({ description: "The deliveries of this page." }),
    ...PAGE_FIELDS,
  })
  .meta({ id: "DeliveryList", description: "Deliveries, newest first, tests and replays included." });

/** The response of `POST …/redeliver`. */
export const RedeliveryResource = z
  .object({
    queued: z.int().meta({ description: "Number of events that are sent again." }),
    has_more: z
      .boolean()
      .meta({ description: "Whether more events failed since then. Repeat the request to send them too." }),
  })
  .meta({ id: "Redelivery", description: "How many events a redelivery sends again." });

/** Returns every attempt, oldest first. The newest attempt is only in the row's own columns until another follows. */
function attemptsOf(row: DeliveryRow): AttemptResource[] {
  const earlier = (row.earlierAttempts ?? []).map((one) => ({
    ...one,
    attempted_at: isoTime(new Date(one.attempted_at)),
  }));
  if (!row.attemptedAt || earlier.at(-1)?.attempt === row.attempt) return earlier;
  const newest = {
    attempt: row.attempt,
    url: row.url,
    attempted_at: isoTime(row.attemptedAt),
    duration_ms: row.durationMs ?? 0,
    response_code: row.responseCode,
    response_body: row.responseBody,
    error: row.error,
  };
  return [...earlier, newest];
}

/** Returns the earliest time of the next attempt; null if none follows. */
function nextAttemptOf({ status, dueAt }: DeliveryRow, pausedUntil: Date | null, now: Date): Date | null {
  if (status !== "pending" && status !== "failed") return null;
  // A delivery that someone requested has a due time before its creation, so that it goes ahead of the backlog. One
  // that waits behind a failing endpoint was due long ago.
  return new Date(Math.max(+dueAt, +(pausedUntil ?? 0), +now));
}

/** Serializes a delivery. */
export function toDeliveryResource(
  row: DeliveryRow,
  pausedUntil: Date | null = null,
  now = new Date(),
): DeliveryResource {
  const next = nextAttemptOf(row, pausedUntil, now);
  return {
    delivery_id: row.id,
    webhook_id: row.webhookId,
    event_id: row.eventId,
    // An event type of the catalogue, because deliveries are created only for events and tests.
    event: row.event as EventType,
    url: row.url,
    trigger: row.trigger,
    status: row.status,
    attempt: row.attempt,
    retry_count: Math.max(0, row.attempt - 1),
    response_code: row.responseCode,
    response_body: row.responseBody,
    error: row.error,
    duration_ms: row.durationMs,
    attempted_at: row.attemptedAt && isoTime(row.attemptedAt),
    attempts: attemptsOf(row),
    next_attempt_at: next && isoTime(next),
    created_at: isoTime(row.createdAt),
  };
}

/** Serializes a delivery as of when it was queued, so that a repeated request gets the same response. */
export function toQueuedDelivery(row: DeliveryRow): DeliveryResource {
  return toDeliveryResource(row, null, row.createdAt);
}

/** Serializes a page of deliveries. */
export function toDeliveryList({ deliveries, pauses, limit, offset, hasMore }: DeliveryPage) {
  const now = new Date();
  const shown = deliveries.map((row) => toDeliveryResource(row, pauses.get(row.webhookId) ?? null, now));
  return { deliveries: shown, limit, offset, has_more: hasMore };
}

/** Serializes a delivery with its newest request. The response is part of the delivery. */
export function toDeliveryDetails(details: DeliveryDetails) {
  return { ...toDeliveryResource(details.row, details.pausedUntil), request: sentRequest(details) };
}
