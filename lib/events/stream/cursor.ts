import { FIRST_CURSOR } from "@/lib/events/schema";

/** The position of a stream: in the owner's audit chain, and in the order of its events. */
export interface Cursor {
  position: number;
  /** Milliseconds since 1970. */
  eventTime: number;
  eventId: string;
}

const FORM = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.([0-7][0-9A-HJKMNP-TV-Z]{25})$/;
const EVENT = "evt_";

/** Returns the cursor before every event of a given time. */
export const cursorAt = (position: number, eventTime: number): Cursor => ({
  position,
  eventTime,
  eventId: FIRST_CURSOR,
});

/** Serializes a cursor as a message's `id`. The browser sends the last one back as `Last-Event-ID`. */
export function streamCursorText({ position, eventTime, eventId }: Cursor): string {
  return `${position}.${eventTime}.${eventId.slice(EVENT.length)}`;
}

/** Parses a cursor. Returns null if it is not valid. */
export function parseStreamCursor(text: string): Cursor | null {
  const [, position, eventTime, id] = FORM.exec(text) ?? [];
  if (id === undefined) return null;
  return { position: Number(position), eventTime: Number(eventTime), eventId: `${EVENT}${id}` };
}
