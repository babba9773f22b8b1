import { isDeepStrictEqual } from "node:util";
import type { Facts } from "./observed-facts";

/**
 * The documented schedule (docs/guides/webhook-delivery.md): 5 s, doubling each time, plus up to a tenth, for 14 times
 * and a day.
 */
const FIRST_MS = 5_000;
const RETRIES = 14;
const WINDOW_MS = 24 * 3_600_000;
const JITTER = 0.1;
/** How long an endpoint that keeps failing is left alone at most. */
const PAUSE_MS = 30_000;
/** For a worker that was killed or is busy. */
const SLACK_MS = 10_000;

/** Each delivery is the event that the list shows, signed by a secret of its account, and stays in the history. */
export function deliveriesAreRight({ events, deliveries, history }: Facts): string[] {
  const listed = new Map(events.map(({ seenBy, id, payload }) => [`${id} at ${seenBy}`, payload]));
  const wrong = deliveries.flatMap(({ seenBy, eventId, payload, signed }) => {
    const name = `${eventId} at ${seenBy}`;
    const event = listed.get(name);
    return [
      ...(signed ? [] : [`not signed by its account's secret: ${name}`]),
      ...(!event || isDeepStrictEqual(event, payload) ? [] : [`delivered otherwise than listed: ${name}`]),
      ...(!event || history.has(name) ? [] : [`delivered, and not in the history: ${name}`]),
    ];
  });
  return [...new Set(wrong)];
}

/** When an attempt is due after `failed` attempts, the last of which ended at `ended`: the earliest, and the latest. */
export function dueAfter(failed: number, ended: number): { earliest: number; latest: number } {
  const delay = FIRST_MS * 2 ** (failed - 1);
  return { earliest: ended + delay, latest: ended + delay * (1 + JITTER) + PAUSE_MS + SLACK_MS };
}

/** No attempt came before its time, the next one is due as the schedule says, and there is one until the schedule ends. */
export function retriesAreOnTime({ retries }: Facts): string[] {
  return retries.flatMap(({ seenBy, eventId, attempts, next, seen, gaveUp, queued }) => {
    const name = `${eventId} at ${seenBy}`;
    const early = attempts.filter(({ begun }, n) => {
      const before = attempts[n - 1];
      return before && begun < dueAfter(n, before.ended).earliest;
    });
    const last = attempts.at(-1);
    const isLate =
      last && next !== null && next > Math.max(dueAfter(attempts.length, last.ended).latest, seen + PAUSE_MS);
    const isOver = !last || dueAfter(attempts.length, last.ended).latest > queued + WINDOW_MS;
    return [
      ...(gaveUp && attempts.length <= RETRIES && !isOver
        ? [`given up after ${attempts.length} attempts: ${name}`]
        : []),
      ...(early.length > 0 ? [`tried again before its time: ${name}`] : []),
      ...(isLate ? [`not tried again before ${new Date(next).toISOString()}: ${name}`] : []),
    ];
  });
}
