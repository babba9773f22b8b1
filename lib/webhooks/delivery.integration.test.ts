import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startLocalDatabase } from "@/scripts/testing/local-database";
import { authority, Receiver } from "@/scripts/testing/receiver";
import { deliveriesOf, endpointRow, makeEndpoint, makeEvents } from "./endpoint.fixture";
import { Pumps } from "./pumps";
import { Sender } from "./sender";

let database: { stop(): Promise<void> };
let receiver: Receiver;
let pumps: Pumps;

beforeAll(async () => {
  database = await startLocalDatabase();
}, 60_000);
afterAll(() => database?.stop());
beforeEach(async () => {
  receiver = await Receiver.start("https");
  pumps = new Pumps({ sender: new Sender({ ca: authority() }) });
});
afterEach(async () => {
  await pumps.stop();
  await receiver.stop();
});

/** Sends what is due to an endpoint and waits until nothing is. */
async function deliver(endpoint: { id: string }): Promise<void> {
  pumps.ring(endpoint.id);
  await pumps.quiet();
}

describe("a delivery", () => {
  test("reaches an HTTPS receiver with the event as its body, signed both ways", async () => {
    const endpoint = await makeEndpoint(receiver.url("/hook?x=1"));
    await makeEvents(endpoint);
    await deliver(endpoint);
    const [got] = receiver.received;
    if (!got) throw new Error("nothing came");
    const [row] = await deliveriesOf(endpoint);
    expect(row).toMatchObject({
      status: "succeeded",
      attempt: 1,
      responseCode: 204,
      error: null,
      trigger: "automatic",
    });
    expect(got.path).toBe("/hook?x=1");
    expect(JSON.parse(got.body)).toMatchObject({ event: "transfer.confirmed", event_id: row?.eventId });
    expect(got.headers["x-service-signature"]).toBe(
      createHmac("sha256", endpoint.secret).update(got.body).digest("hex"),
    );
    expect(got.headers["webhook-id"]).toBe(row?.eventId);
    expect((await endpointRow(endpoint)).pump).toBeNull();
  });
});
