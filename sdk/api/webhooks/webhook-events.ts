import type { Event } from "../resources/events";

/**
 * An event, as delivered by webhooks and listed by `GET /v1/events`. `event` is its type; `event_id` stays the same
 * across retries and replays. It never contains an amount.
 */
export type HalcyonEvent = Event;

/** The event types that webhooks subscribe to and lists filter by. */
export type EventType = Event["event"];
