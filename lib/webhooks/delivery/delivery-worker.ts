import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "@/lib/clock";
import { log } from "@/lib/telemetry/log";
import { Pump, type PumpTools } from "./endpoint-worker";
import { Sender } from "./sender";
import { Slots } from "./slots";
import { flushDeliveryNews } from "./tell-deliveries";

const PATIENCE_MS = 5_000;

export interface PumpsOptions {
  clock?: Clock;
  random?: () => number;
  sender?: Sender;
}

/** The pumps of a worker process: one per endpoint that has something due, none for those at rest. */
export class Pumps {
  private readonly tools: PumpTools;
  private readonly running = new Map<string, { pump: Pump; ended: Promise<void> }>();
  private stopping = false;

  constructor({ clock = systemClock, random = Math.random, sender = new Sender() }: PumpsOptions = {}) {
    this.tools = { id: randomUUID(), sender, slots: new Slots(), clock, random };
  }

  /** Sends an endpoint what is due, or lets a pump that runs already look again. */
  ring(webhookId: string): void {
    if (this.stopping) return;
    const running = this.running.get(webhookId);
    if (running) running.pump.ring();
    else this.start(webhookId);
  }

  /** The endpoint was changed, disabled or deleted: what is under way to it breaks off. */
  interrupt(webhookId: string): void {
    this.running.get(webhookId)?.pump.interrupt();
  }

  /** Resolves when no endpoint has anything due any more; for tests and the bench. */
  async quiet(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Lets attempts under way end, breaks off those that take long, lets go of all endpoints. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { pump } of this.running.values()) pump.stop();
    const impatient = setTimeout(() => {
      for (const { pump } of this.running.values()) pump.interrupt();
    }, PATIENCE_MS);
    await this.quiet();
    clearTimeout(impatient);
    await Promise.all([this.tools.sender.close(), flushDeliveryNews()]);
  }

  /** Whom another process serves is left to it: that one was notified as well, and looks again before it lets go. */
  private start(webhookId: string): void {
    const pump = new Pump(webhookId, this.tools);
    const ended = pump.run().then(
      () => {
        this.running.delete(webhookId);
        if (pump.rung()) this.ring(webhookId);
      },
      (error) => {
        this.running.delete(webhookId);
        log().error({ err: error, webhook_id: webhookId }, "deliveries of a webhook stopped");
      },
    );
    this.running.set(webhookId, { pump, ended });
  }
}
