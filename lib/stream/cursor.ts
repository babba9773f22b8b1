import { FIRST_CURSOR } from "@/lib/events/schema";

/** How far a stream has come: in the owner's audit chain, and in the order of its events. */
export interface Cursor {
  position: number;
  /** Milliseconds since 1970. */
  eventTime: number;
  eventId: string;
}

const FORM = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.([0-7][0-9A-HJKMNP-TV-Z]{25})$/;
const EVENT = "evt_";

/** The cursor in front of every event of a time. */
export const cursorAt = (position: number, eventTime: number): Cursor => ({
  position,
  eventTime,
  eventId: FIRST_CURSOR,
});

/** The `id` of a message: the browser sends the last one back as `Last-Event-ID`. */
export function writeCursor({ position, eventTime, eventId }: Cursor): string {
  return `${position}.${eventTime}.${eventId.slice(EVENT.length)}`;
}

/** Null for what is no cursor of ours. */
export function readCursor(text: string): Cursor | null {
  const [, position, eventTime, id] = FORM.exec(text) ?? [];
  if (id === undefined) return null;
  return { position: Number(position), eventTime: Number(eventTime), eventId: `${EVENT}${id}` };
}
