import type { Event } from "../api/resources/events";

/**
 * An event as webhooks deliver and `GET /v1/events` lists it; `event` says which, `event_id` stays the same over retries
 * and replays. Never an amount.
 */
export type HalcyonEvent = Event;

/** The types of events that webhooks are subscribed to and lists filter by. */
export type EventType = Event["event"];
