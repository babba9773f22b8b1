import { isoTime } from "@/lib/base/clock";
import { log } from "@/lib/base/telemetry/log";
import type { StreamNotification } from "@/lib/events/notify-streams";
import { type Cursor, streamCursorText } from "./cursor";
import { BATCH, changesAfter, eventsAfter, type StreamOwner } from "./read-changes";
import { SseBody } from "./sse-body";

/** The longest time between two messages. After it, the stream also checks whether its session is still valid. */
const HEARTBEAT_MS = 15_000;
/** Changes of a busy account are read together. */
const PACE_MS = 100;
/** How soon to look again for events. They are sent once no older event can appear. */
const LEAST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 1_000;
/** Upper bound on the clock differences between processes that write events. */
const CLOCKS_MS = 1_000;
const MOST_FAILURES = 3;

interface StreamOptions {
  owner: StreamOwner;
  sessionId: string;
  cursor: Cursor;
  /** Whether the cursor comes from a client that reconnected. */
  resumed: boolean;
  /** Returns whether the session is still valid. */
  holds: () => Promise<boolean>;
}

/**
 * One browser's stream of changes of an account and its agents on a network: ids, types and times, never an amount.
 * Notifications wake it; it then reads the audit log and the events from its cursor on. So nothing is skipped, even if
 * connections or processes fail, but a message may be sent twice.
 */
export class AccountStream {
  private readonly body = new SseBody(() => this.end());
  private readonly deliveries = new DeliveryUpdates();
  private readonly heartbeat: NodeJS.Timeout;
  private cursor: Cursor;
  private look = { changes: true, events: true };
  private notified = false;
  private settleBy: number | null = null; // until the horizon is past this, events may be missing
  private failures = 0;
  private ended = false;
  private wake: () => void = () => {};

  constructor(
    private readonly options: StreamOptions,
    private readonly onEnd: () => void,
  ) {
    this.cursor = options.cursor;
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    void this.run();
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.body.readable;
  }

  get sessionId(): string {
    return this.options.sessionId;
  }

  /** Notifies the stream that there is something to read. */
  notify({ kind, webhookId }: Pick<StreamNotification, "kind" | "webhookId">): void {
    if (kind === "change") this.look.changes = true;
    else if (kind === "event") this.look.events = true;
    else this.deliveries.add(webhookId);
    this.notified = true;
    this.wake();
  }

  /** Makes the stream look at everything, because notifications may have been missed. */
  notifyAll(): void {
    this.look = { changes: true, events: true };
    this.deliveries.add(null);
    this.notified = true;
    this.wake();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.heartbeat);
    this.body.close();
    this.wake();
    this.onEnd();
  }

  private async beat(): Promise<void> {
    this.body.comment();
    this.look = { changes: true, events: true };
    this.notified = true;
    this.wake();
    await this.attempt(async () => {
      if (!(await this.options.holds())) this.end();
    });
  }

  private async run(): Promise<void> {
    await this.send("ready", { resumed: this.options.resumed, at: isoTime(new Date()) });
    if (this.options.resumed) this.deliveries.add(null);
    while (!this.ended) {
      let wait = HEARTBEAT_MS;
      this.notified = false;
      const done = await this.attempt(async () => {
        if (this.look.changes) await this.sendChanges();
        wait = Math.min(await this.sendEvents(), await this.sendDeliveries());
      });
      if (!this.ended) await this.untilNotified(done ? wait : LONGEST_LOOK_MS);
    }
  }

  private async sendChanges(): Promise<void> {
    this.look.changes = false;
    for (let more = true; more && !this.ended; ) {
      const changes = await changesAfter(this.options.owner, this.cursor.position);
      for (const { position, action, target, createdAt } of changes) {
        this.cursor = { ...this.cursor, position };
        await this.send("change", { type: action, target, at: isoTime(createdAt) });
        // Every stream shows the revocation; the stream of the revoked session then ends.
        if (action === "session.revoked" && target === this.sessionId) this.end();
      }
      more = changes.length === BATCH;
    }
  }

  /** Sends new events. Returns in how many milliseconds to look again. */
  private async sendEvents(): Promise<number> {
    if (!this.look.events && this.settleBy === null) return HEARTBEAT_MS;
    const notified = this.look.events;
    this.look.events = false;
    for (;;) {
      const { events, now, horizon } = await eventsAfter(this.options.owner, this.cursor);
      if (notified) this.settleBy = Math.max(this.settleBy ?? 0, now + CLOCKS_MS);
      for (const { id, type, objectId, time } of events) {
        this.cursor = { ...this.cursor, eventTime: time, eventId: id };
        await this.send("event", { type, event_id: id, object_id: objectId, at: isoTime(new Date(time)) });
      }
      if (this.ended) return 0;
      if (events.length === BATCH) continue;
      if (this.settleBy === null || horizon >= this.settleBy) {
        this.settleBy = null;
        return HEARTBEAT_MS;
      }
      return Math.min(LONGEST_LOOK_MS, Math.max(LEAST_LOOK_MS, this.settleBy - horizon));
    }
  }

  /** Sends delivery updates. Returns in how many milliseconds there may be more. */
  private async sendDeliveries(): Promise<number> {
    const { due, wait } = this.deliveries.take(performance.now());
    for (const webhookId of due) await this.send("deliveries", { webhook_id: webhookId, at: isoTime(new Date()) });
    return Math.min(wait, HEARTBEAT_MS);
  }

  private send(event: string, data: Record<string, unknown>): Promise<void> {
    return this.body.message(streamCursorText(this.cursor), event, JSON.stringify(data));
  }

  /**
   * Runs work that may fail while the database is briefly unavailable. After repeated failures the stream ends, because
   * it can't check its session.
   */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.failures = 0;
      return true;
    } catch (error) {
      log().warn({ err: error }, "a stream could not read what changed; trying again");
      this.look = { changes: true, events: true };
      this.failures += 1;
      if (this.failures >= MOST_FAILURES) this.end();
      return false;
    }
  }

  /** Waits for this many milliseconds or until a notification, but always for a short minimum. */
  private async untilNotified(wait: number): Promise<void> {
    await this.pause(Math.min(PACE_MS, wait), () => this.ended);
    if (wait > PACE_MS) await this.pause(wait - PACE_MS, () => this.ended || this.notified);
  }

  private async pause(ms: number, over: () => boolean): Promise<void> {
    if (over()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        if (!over()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Limits updates to one per second and webhook, because attempts may end many times a second. */
const UPDATES_MS = 1_000;

/** The webhooks with new deliveries that a stream has yet to announce; null stands for any webhook. */
class DeliveryUpdates {
  private readonly waiting = new Set<string | null>();
  private readonly sentAt = new Map<string | null, number>();

  add(webhookId: string | null): void {
    this.waiting.add(webhookId);
  }

  /** Returns the webhooks to announce now, and in how many milliseconds there may be more. */
  take(now: number): { due: (string | null)[]; wait: number } {
    for (const [id, at] of this.sentAt) if (now - at >= UPDATES_MS) this.sentAt.delete(id);
    const due = [...this.waiting].filter((id) => this.rest(id, now) <= 0);
    for (const id of due) {
      this.waiting.delete(id);
      this.sentAt.set(id, now);
    }
    const wait = Math.min(Number.POSITIVE_INFINITY, ...[...this.waiting].map((id) => this.rest(id, now)));
    return { due, wait };
  }

  private rest(id: string | null, now: number): number {
    return (this.sentAt.get(id) ?? Number.NEGATIVE_INFINITY) + UPDATES_MS - now;
  }
}
