import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "@/lib/base/clock";
import { log } from "@/lib/base/telemetry/log";
import { EndpointWorker, type EndpointWorkerTools } from "./endpoint-worker";
import { flushDeliveryUpdates } from "./notify-deliveries";
import { DeliverySender } from "./sender";
import { Slots } from "./slots";

const PATIENCE_MS = 5_000;

interface DeliveryWorkerOptions {
  clock?: Clock;
  random?: () => number;
  sender?: DeliverySender;
}

/** Delivers webhooks in a process, with one worker per endpoint that has something due. */
export class DeliveryWorker {
  private readonly tools: EndpointWorkerTools;
  private readonly running = new Map<string, { worker: EndpointWorker; ended: Promise<void> }>();
  private stopping = false;

  constructor({
    clock = systemClock,
    random = Math.random,
    sender = new DeliverySender(),
  }: DeliveryWorkerOptions = {}) {
    this.tools = { id: randomUUID(), sender, slots: new Slots(), clock, random };
  }

  /** Starts a worker for an endpoint, or makes its running worker look again. */
  notify(webhookId: string): void {
    if (this.stopping) return;
    const running = this.running.get(webhookId);
    if (running) running.worker.notify();
    else this.start(webhookId);
  }

  /** Aborts requests to an endpoint that was changed, disabled or deleted. */
  interrupt(webhookId: string): void {
    this.running.get(webhookId)?.worker.interrupt();
  }

  /** Resolves when no endpoint has anything due. For tests and benchmarks. */
  async quiet(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Lets current attempts end, aborts those that take long, and releases all endpoints. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { worker } of this.running.values()) worker.stop();
    const impatient = setTimeout(() => {
      for (const { worker } of this.running.values()) worker.interrupt();
    }, PATIENCE_MS);
    await this.quiet();
    clearTimeout(impatient);
    await Promise.all([this.tools.sender.close(), flushDeliveryUpdates()]);
  }

  /**
   * Starts a worker. If another process serves the endpoint, the worker stops: the other process was notified as well,
   * and looks again before it releases the endpoint.
   */
  private start(webhookId: string): void {
    const worker = new EndpointWorker(webhookId, this.tools);
    const ended = worker.run().then(
      () => {
        this.running.delete(webhookId);
        if (worker.notified()) this.notify(webhookId);
      },
      (error) => {
        this.running.delete(webhookId);
        log().error({ err: error, webhook_id: webhookId }, "deliveries of a webhook stopped");
      },
    );
    this.running.set(webhookId, { worker, ended });
  }
}
