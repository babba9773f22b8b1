import { isoTime } from "@/lib/clock";
import type { DeliveryRow } from "./find-webhook";
import type { DeliveryPage } from "./list-deliveries";

/** One event on its way to one endpoint, with its newest attempt. */
export interface DeliveryResource {
  delivery_id: string;
  event_id: string;
  event: string;
  /** Where the newest attempt went. */
  url: string;
  trigger: "automatic" | "replay" | "test";
  /** `failed`: another attempt follows at `next_attempt_at`; `exhausted`: none does. */
  status: "pending" | "succeeded" | "failed" | "exhausted";
  /** Attempts made. */
  attempt: number;
  retry_count: number;
  response_code: number | null;
  /** The first 4 KiB. */
  response_body: string | null;
  /** Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`. */
  error: string | null;
  duration_ms: number | null;
  attempted_at: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

/** Serialises a delivery. */
export function toDeliveryResource(row: DeliveryRow): DeliveryResource {
  const open = row.status === "pending" || row.status === "failed";
  return {
    delivery_id: row.id,
    event_id: row.eventId,
    event: row.event,
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
    next_attempt_at: open ? isoTime(row.dueAt) : null,
    created_at: isoTime(row.createdAt),
  };
}

/** Serialises a page of deliveries. */
export function toDeliveryList({ deliveries, limit, offset, hasMore }: DeliveryPage) {
  return { deliveries: deliveries.map(toDeliveryResource), limit, offset, has_more: hasMore };
}
