import type { Clock } from "@/lib/base/clock";
import { count, measure } from "@/lib/base/telemetry/record";
import { disableWebhook } from "@/lib/events/webhooks/disable-webhook";
import { HEALTHY } from "@/lib/events/webhooks/health";
import { type AttemptResult, advance, type DueDelivery, type DueEndpoint, type HealthAt } from "./advance";
import { ATTEMPT_MS, DeliveryAttempt, type EndpointResponse } from "./attempt";
import { notifyDeliveries } from "./notify-deliveries";
import { type Destination, deliveryDestination, post } from "./post";
import { afterFailure, disableReason, nextAttempt } from "./schedule";
import type { DeliverySender } from "./sender";
import type { Slots } from "./slots";

/** How many attempts to one endpoint run at once. */
export const AT_ONCE = 8;
/** How long a worker holds its endpoint without renewing; longer than any attempt. */
const HOLD_MS = 20_000;
const MARGIN_MS = 2_000;
// For each concurrent attempt, read ahead as many deliveries as it sends in this time. More would be cheaper, but
// replays wait behind what has been read.
const AHEAD_MS = 3_000;
const AHEAD = 128;
const FLUSH_MS = 40;

export interface EndpointWorkerTools {
  /** Identifies this process. */
  id: string;
  sender: DeliverySender;
  slots: Slots;
  clock: Clock;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

/**
 * Sends an endpoint everything that is due. One process at a time serves an endpoint, with up to `AT_ONCE` concurrent
 * attempts: one until the first succeeds, then more, and one again after a failure.
 */
export class EndpointWorker {
  private endpoint?: DueEndpoint;
  private destination?: Destination;
  private until = new Date(0);
  private buffer: DueDelivery[] = [];
  private readonly underWay = new Map<string, DeliveryAttempt>();
  private results: AttemptResult[] = [];
  private health: HealthAt | null = null; // set: not written yet
  private window = 1;
  private responseMs?: number; // average of response times, weighted towards the newest
  private drained = false;
  private stopping = false;
  private again = true;
  private changes = 0; // counts changes; deliveries read before a change are outdated
  private resultsSince = 0;
  private wake: () => void = () => {};
  private wakesAt = 0; // when it wakes without a notification, by `performance.now()`

  constructor(
    private readonly webhookId: string,
    private readonly tools: EndpointWorkerTools,
  ) {}

  /** Notifies the worker that something may be due. */
  notify(): void {
    this.again = true;
    this.wake();
  }

  /** Reports whether the worker was notified since it last looked. */
  notified(): boolean {
    return this.again && !this.stopping;
  }

  /** Aborts current attempts and looks again, because the endpoint has changed. */
  interrupt(): void {
    this.changes += 1;
    this.breakOff();
    this.notify();
  }

  /** Finishes current attempts and starts no more. */
  stop(): void {
    this.stopping = true;
    this.buffer = [];
    this.notify();
  }

  /** Runs until nothing is due (`done`) or another process holds the endpoint (`busy`). */
  async run(): Promise<"done" | "busy"> {
    try {
      for (;;) {
        const idle = this.underWay.size + this.buffer.length === 0;
        const held = await this.step(idle);
        if (!held && idle) return "busy";
        if (!held) this.breakOff();
        // An idle step with nothing due has released the endpoint.
        else if (idle && this.isEmpty() && !this.notified()) return "done";
        await this.untilNotified();
      }
    } finally {
      this.breakOff();
    }
  }

  private breakOff(): void {
    this.buffer = [];
    for (const attempt of this.underWay.values()) attempt.interrupt();
  }

  private isEmpty(): boolean {
    return this.underWay.size + this.buffer.length + this.results.length === 0;
  }

  /** Writes results and reads due deliveries. Returns false if another process holds the endpoint. */
  private async step(idle: boolean): Promise<boolean> {
    const { webhookId, tools, results, health, changes } = this;
    const now = tools.clock();
    const until = new Date(now.getTime() + HOLD_MS);
    const limit = this.room();
    const held = [...this.underWay.keys(), ...this.buffer.map(({ id }) => id)];
    this.results = [];
    this.health = null;
    this.again = false;
    const step = await advance({ worker: tools.id, webhookId, now, until, results, health, held, limit, idle });
    if (results.length > 0) notifyDeliveries(webhookId);
    if (!step) return false;
    this.endpoint = step.endpoint;
    this.destination = step.endpoint.live ? deliveryDestination(webhookId, step.endpoint, now) : undefined;
    this.until = until;
    this.drained = step.due.length < limit;
    // As it was written: an endpoint with a new address has not taken over the old one's failures.
    const reason = health && step.endpoint.live && disableReason(step.endpoint, now);
    if (reason) await disableWebhook(webhookId, reason, now, step.endpoint.url);
    if (reason || !step.endpoint.live) {
      this.breakOff();
      if (reason) this.again = true; // the next step releases it
    } else if (!this.stopping && changes === this.changes) {
      this.buffer.push(...step.due);
      this.fill();
    }
    return true;
  }

  /** Waits until the next step has something to do. */
  private async untilNotified(): Promise<void> {
    for (let wait = this.patience(); wait > 0; wait = this.patience()) {
      this.wakesAt = performance.now() + wait;
      await new Promise<void>((resolve) => {
        const timer = Number.isFinite(wait) ? setTimeout(resolve, wait) : undefined;
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Wakes the worker if the next step can start earlier than planned. Rarely needed, and waking is expensive. */
  private hint(): void {
    if (performance.now() + this.patience() + 1 < this.wakesAt) this.wake();
  }

  /** Returns how many milliseconds the next step may wait. */
  private patience(): number {
    const { results, buffer, underWay, window } = this;
    if (underWay.size + buffer.length === 0) return 0;
    if (this.again && this.room() > 0) return 0;
    if (buffer.length > 0 && underWay.size < window && !this.mayStart()) return 0;
    if (results.length === 0) return Number.POSITIVE_INFINITY;
    // Read early enough that there is work while the database responds.
    if (!this.drained && buffer.length <= this.ahead() / 2) return 0;
    return Math.max(0, this.resultsSince + FLUSH_MS - performance.now());
  }

  private room(): number {
    if (this.stopping) return 0;
    return Math.max(0, this.ahead() - this.buffer.length - this.underWay.size);
  }

  private ahead(): number {
    const { window, responseMs } = this;
    return responseMs === undefined ? window : window * Math.min(AHEAD, Math.ceil(AHEAD_MS / responseMs));
  }

  private mayStart(): boolean {
    return this.until.getTime() - this.tools.clock().getTime() > ATTEMPT_MS + MARGIN_MS;
  }

  private fill(): void {
    while (this.underWay.size < this.window && this.mayStart()) {
      const delivery = this.buffer.shift();
      if (!delivery) return;
      const attempt = new DeliveryAttempt();
      this.underWay.set(delivery.id, attempt);
      void this.send(delivery, attempt);
    }
  }

  private async send(delivery: DueDelivery, attempt: DeliveryAttempt): Promise<void> {
    // Deliveries and their destination are read together.
    const sending = this.destination?.sending ?? { account: "", host: "" };
    const slot = this.tools.slots.take(sending);
    // Await only if there is no free slot: thousands of these run per second.
    const release = slot instanceof Promise ? await slot : slot;
    const { destination, tools } = this;
    const startedAt = tools.clock();
    // While it waited for a slot, it may have been interrupted, or another process may have taken over.
    const fit = destination && !attempt.interrupted && this.mayStart();
    const result = fit ? await post(tools.sender, destination, delivery, attempt, startedAt) : null;
    release();
    this.underWay.delete(delivery.id);
    if (destination && result) this.record(delivery, destination.url, result, startedAt);
    this.fill();
    this.hint();
  }

  private record(delivery: DueDelivery, url: string, result: EndpointResponse, startedAt: Date): void {
    const { tools } = this;
    const now = tools.clock();
    const attempt = delivery.attempt + 1;
    const again = !result.ok && delivery.trigger !== "test" && delivery.payload !== null;
    const dueAt = again ? nextAttempt(delivery.createdAt, attempt, now, result.retryAfter, tools.random()) : null;
    const status = result.ok ? "succeeded" : dueAt ? "failed" : "exhausted";
    count("halcyon.webhook.deliveries", { outcome: status, trigger: delivery.trigger });
    measure("halcyon.webhook.delivery.duration", result.durationMs / 1000, { outcome: status });
    if (this.results.length === 0) this.resultsSince = performance.now();
    this.results.push({
      id: delivery.id,
      eventId: delivery.eventId,
      trigger: delivery.trigger,
      attempt,
      status,
      url,
      code: result.code,
      body: this.endpoint?.storeResponses ? result.body : null,
      error: result.error,
      durationMs: result.durationMs,
      at: startedAt,
      dueAt,
    });
    const health = this.health?.url === url ? this.health : this.endpoint;
    // The address has changed: how the old one responds says nothing about the new one.
    if (health?.url !== url) return;
    if (result.ok) {
      this.window = Math.min(AT_ONCE, this.window * 2);
      const { responseMs = result.durationMs } = this;
      this.responseMs = responseMs + (result.durationMs - responseMs) / 8;
      if (health.failingSince) this.health = { ...HEALTHY, url };
    } else if (again) {
      this.window = Math.max(1, this.window >> 1);
      this.health = { ...afterFailure(health, result.code === 410, startedAt, now), url };
      if ((this.health.pausedUntil ?? now) > now) this.buffer = [];
    }
  }
}
