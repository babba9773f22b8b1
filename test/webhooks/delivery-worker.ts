import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { DeliveryWorker } from "@/lib/events/webhooks/delivery/delivery-worker";
import { Receiver } from "@/test/services/receiver";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { deliveriesOf, type Endpoint, endpointRow, wronglyQueued } from "./endpoint";

/** Receives the deliveries; a new one for each test. */
export let receiver: Receiver;
export let deliveryWorker: DeliveryWorker;
/** The worker's time. */
export let now: Date;

/** Starts the database of a test file, and for each test a receiver and a worker whose time stands still. */
export function startPumps(): void {
  let services: SharedServices | undefined;
  beforeAll(async () => {
    services = await startSharedServices();
  });
  afterAll(() => services?.stop());
  beforeEach(async () => {
    now = new Date();
    receiver = await Receiver.start();
    deliveryWorker = new DeliveryWorker({ clock: () => new Date(now), random: () => 0 });
  });
  afterEach(async () => {
    await deliveryWorker.stop();
    await receiver.stop();
    expect(await wronglyQueued()).toEqual([]);
  });
}

/** Advances the time by this many milliseconds. */
export const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

/** Sets the time to the machine's clock, which verbs use. */
export const catchUp = () => {
  now = new Date(Math.max(now.getTime(), Date.now()));
};

/** Sends what is due to an endpoint, until nothing is. */
export async function deliver(endpoint: { id: string }): Promise<void> {
  deliveryWorker.notify(endpoint.id);
  await deliveryWorker.quiet();
}

/** Sets the status that the receiver returns from now on. */
export const fail = (status = 500) => {
  receiver.respond = (response) => response.writeHead(status).end();
};
export const recover = () => fail(200);

/** Returns the states of an endpoint's deliveries, such as `automatic succeeded`. */
export const statuses = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ trigger, status }) => `${trigger} ${status}`);

/**
 * Advances from one due time to the next, as a worker does, until nothing is open or `ms` have passed. Returns when
 * deliveries were sent.
 */
export async function walk(endpoint: Endpoint, ms: number): Promise<Date[]> {
  const [times, end] = [[] as Date[], now.getTime() + ms];
  for (;;) {
    const before = receiver.received.length;
    await deliver(endpoint);
    if (receiver.received.length > before) times.push(new Date(now));
    const open = (await deliveriesOf(endpoint)).filter(({ status }) => status === "pending" || status === "failed");
    const { pausedUntil, enabled } = await endpointRow(endpoint);
    const next = Math.max(Math.min(...open.map(({ dueAt }) => dueAt.getTime())), pausedUntil?.getTime() ?? 0);
    if (!enabled || open.length === 0 || next > end) return times;
    now = new Date(Math.max(next, now.getTime() + 1));
  }
}
