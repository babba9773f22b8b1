import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import { freePort } from "@/test/services/free-port";
import { authority, Receiver, type Responder } from "@/test/services/receiver";
import { startSharedServices } from "@/test/services/shared-services";
import { deliveriesOf, endpointRow, makeEndpoint, makeEvents, wronglyQueued } from "@/test/webhooks/endpoint";
import { DeliveryWorker } from "./delivery/delivery-worker";
import { DeliverySender } from "./delivery/sender";
import { toDeliveryResource } from "./delivery-resource";
import { encryptSecret, newSecret } from "./secrets";

let services: { stop(): Promise<void> };
let receiver: Receiver;
let deliveryWorker: DeliveryWorker;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());
beforeEach(async () => {
  receiver = await Receiver.start("https");
  deliveryWorker = new DeliveryWorker({ sender: new DeliverySender({ ca: authority() }), random: () => 0 });
});
afterEach(async () => {
  await deliveryWorker.stop();
  await receiver.stop();
  expect(await wronglyQueued()).toEqual([]);
});

/** Delivers to an endpoint until nothing is due. */
async function deliver(endpoint: { id: string }): Promise<void> {
  deliveryWorker.notify(endpoint.id);
  await deliveryWorker.quiet();
}

/** Returns the only delivery to a new endpoint after one attempt, at a receiver that responds like this. */
async function delivered(responder: Responder) {
  receiver.respond = responder;
  const endpoint = await makeEndpoint(receiver.url());
  await makeEvents(endpoint);
  await deliver(endpoint);
  const [row] = await deliveriesOf(endpoint);
  if (!row) throw new Error("no delivery");
  return row;
}

/**
 * Responds after `ms`. Holds what comes after the first seven, by which an endpoint has earned eight at once, until as
 * many are open, however slow they come.
 */
function eightAtOnce(ms: number): Responder {
  const held: ServerResponse[] = [];
  return (response, _, n) => {
    held.push(response);
    if (n > 7 && receiver.mostAtOnce < 8) return;
    for (const one of held.splice(0)) setTimeout(() => one.writeHead(200).end(), ms);
  };
}

const FAILED = { status: "failed", attempt: 1 };

describe("a delivery", () => {
  test("reaches an HTTPS receiver with the event as its body, signed both ways", async () => {
    const endpoint = await makeEndpoint(receiver.url("/hook?x=1"));
    await makeEvents(endpoint);
    await deliver(endpoint);
    const [got] = receiver.received;
    if (!got) throw new Error("nothing came");
    const [row] = await deliveriesOf(endpoint);
    expect(row).toMatchObject({ status: "succeeded", attempt: 1, responseCode: 204, error: null });
    expect(got.path).toBe("/hook?x=1");
    expect(JSON.parse(got.body)).toMatchObject({ event: "transfer.confirmed", event_id: row?.eventId });
    const expected = createHmac("sha256", endpoint.secret).update(got.body).digest("hex");
    expect(got.headers["x-service-signature"]).toBe(expected);
    expect(got.headers["x-service-signature-previous"]).toBeUndefined();
    expect(got.headers["webhook-id"]).toBe(row?.eventId);
    expect((await endpointRow(endpoint)).worker).toBeNull();
  });

  test("goes to each endpoint of the owner that wants the event, on that network, and to no one else's", async () => {
    const first = await makeEndpoint(receiver.url("/first"));
    const { rootId } = first.ctx.account;
    const second = await makeEndpoint(receiver.url("/second"), { rootId });
    const deaf = await makeEndpoint(receiver.url("/deaf"), { rootId, events: ["transfer.failed"] });
    const live = await makeEndpoint(receiver.url("/live"), { rootId, chainId: 4663 });
    const disabled = await makeEndpoint(receiver.url("/disabled"), { rootId, enabled: false });
    const foreign = await makeEndpoint(receiver.url("/foreign"));
    const all = [first, second, deaf, live, disabled, foreign];
    await makeEvents(first);
    for (const endpoint of all) await deliver(endpoint);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/first", "/second"]);
    const counts = await Promise.all(all.map(async (endpoint) => (await deliveriesOf(endpoint)).length));
    expect(counts).toEqual([1, 1, 0, 0, 0, 0]);
  });

  test("is signed with the secret before as well during a rotation, and no longer after it", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    const next = newSecret();
    const rotate = (previousUntil: Date) =>
      db()
        .update(webhooks)
        .set({
          secret: encryptSecret(endpoint.id, next),
          previousSecret: encryptSecret(endpoint.id, endpoint.secret),
          previousUntil,
        })
        .where(eq(webhooks.id, endpoint.id));
    await rotate(new Date(Date.now() + 60_000));
    await makeEvents(endpoint);
    await deliver(endpoint);
    await rotate(new Date(Date.now() - 1));
    await makeEvents(endpoint);
    await deliver(endpoint);
    const [during, after] = receiver.received;
    const sign = (secret: string) =>
      createHmac("sha256", secret)
        .update(during?.body ?? "")
        .digest("hex");
    expect(during?.headers["x-service-signature"]).toBe(sign(next));
    expect(during?.headers["x-service-signature-previous"]).toBe(sign(endpoint.secret));
    expect(String(during?.headers["webhook-signature"]).split(" ").length).toBe(2);
    expect(after?.headers["x-service-signature-previous"]).toBeUndefined();
    expect(String(after?.headers["webhook-signature"]).split(" ").length).toBe(1);
  });

  test("keeps its connection for the next one", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    for (let i = 0; i < 5; i++) {
      await makeEvents(endpoint);
      await deliver(endpoint);
    }
    expect([receiver.received.length, receiver.connections]).toEqual([5, 1]);
  });

  test("runs beside at most seven others to one endpoint", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    receiver.respond = eightAtOnce(20);
    await makeEvents(endpoint, 100);
    await deliver(endpoint);
    const ends = (await deliveriesOf(endpoint)).map(({ status, error }) => error ?? status);
    expect(ends).toEqual(Array(100).fill("succeeded"));
    expect([receiver.received.length, receiver.mostAtOnce]).toEqual([100, 8]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(100);
  });

  test("is made once by two processes that are notified of the same endpoint", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    const others = new DeliveryWorker({ sender: new DeliverySender({ ca: authority() }) });
    receiver.respond = eightAtOnce(2);
    await makeEvents(endpoint, 200);
    for (const each of [deliveryWorker, others]) each.notify(endpoint.id);
    await Promise.all([deliveryWorker.quiet(), others.quiet()]);
    await others.stop();
    expect([receiver.received.length, receiver.mostAtOnce]).toEqual([200, 8]);
  });
});

describe("a receiver that", () => {
  test("returns 500, then 200 gets it again, with the same body and id", async () => {
    const row = await delivered((response, _, n) => response.writeHead(n === 1 ? 500 : 200).end("oh"));
    expect(row).toMatchObject({ ...FAILED, responseCode: 500, responseBody: "oh", error: "status: 500" });
    expect(row.dueAt.getTime() - (row.attemptedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(5_000);
    expect(row.earlierAttempts).toBeNull();
  });

  test("changes its mind leaves every attempt in the log, with its own result", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    receiver.respond = (response, _, n) => response.writeHead([500, 302, 200][n - 1] ?? 200).end(`attempt ${n}`);
    await makeEvents(endpoint);
    const [first, moved] = [receiver.url(), receiver.url("/moved")];
    for (const url of [first, moved, moved]) {
      const dueAt = new Date();
      await db().update(webhooks).set({ url, pausedUntil: null }).where(eq(webhooks.id, endpoint.id));
      await db().update(webhookQueue).set({ dueAt }).where(eq(webhookQueue.webhookId, endpoint.id));
      await db().update(webhookDeliveries).set({ dueAt }).where(eq(webhookDeliveries.webhookId, endpoint.id));
      await deliver(endpoint);
    }
    const [row] = await deliveriesOf(endpoint);
    if (!row) throw new Error("there is no delivery");
    const { status, attempts } = toDeliveryResource(row);
    expect(status).toBe("succeeded");
    expect(attempts).toMatchObject([
      { attempt: 1, url: first, response_code: 500, response_body: "attempt 1", error: "status: 500" },
      { attempt: 2, url: moved, response_code: 302, response_body: null, error: "redirect: 302 is not followed" },
      { attempt: 3, url: moved, response_code: 200, response_body: "attempt 3", error: null },
    ]);
    for (const one of attempts) expect(new Date(one.attempted_at).toISOString()).toBe(one.attempted_at);
  });

  test("belongs to an owner who stores no responses leaves no text of them", async () => {
    const endpoint = await makeEndpoint(receiver.url(), { storeResponses: false });
    receiver.respond = (response) => response.writeHead(500).end("private");
    await makeEvents(endpoint);
    await deliver(endpoint);
    const [row] = await deliveriesOf(endpoint);
    expect(row).toMatchObject({ responseCode: 500, responseBody: null });
  });

  test("redirects is not followed", async () => {
    const row = await delivered((response) => response.writeHead(301, { location: receiver.url("/other") }).end());
    expect(row).toMatchObject({ ...FAILED, responseCode: 301, error: "redirect: 301 is not followed" });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("resets the connection fails the attempt, and is asked once", async () => {
    const row = await delivered(() => receiver.reset());
    expect(row).toMatchObject({ ...FAILED, responseCode: null, error: "connection: closed before a response" });
    expect(receiver.received.length).toBe(1);
  });

  test("says when to come back is heard", async () => {
    const row = await delivered((response) => response.writeHead(503, { "retry-after": "120" }).end());
    expect(row).toMatchObject({ ...FAILED, responseCode: 503 });
    expect(row.dueAt.getTime() - (row.attemptedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(120_000);
  });

  test("sends a gigabyte is cut off, and 256 bytes of it are kept", async () => {
    let sent = 0;
    const row = await delivered((response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(65_536, "a");
      const more = () => {
        while (!response.destroyed && sent < 1_000_000_000) {
          sent += piece.length;
          if (!response.write(piece)) return response.once("drain", more);
        }
        return response.end();
      };
      more();
    });
    expect(row).toMatchObject({ status: "succeeded", responseCode: 200, responseBody: "a".repeat(256) });
    expect(sent).toBeLessThan(50_000_000);
  });

  test("sends bytes that are no text, NULs among them, is shown as text", async () => {
    const row = await delivered((response) => response.writeHead(200).end(Buffer.from([0, 255, 254, 65, 0, 0xd8])));
    expect(row.status).toBe("succeeded");
    expect(row.responseBody).toBe("\ufffd\ufffd\ufffdA\ufffd\ufffd");
    const binary = await delivered((response) => response.writeHead(200).end(Buffer.alloc(300, 255)));
    expect(Buffer.byteLength(binary.responseBody ?? "")).toBeLessThanOrEqual(256);
    const cut = await delivered((response) => response.writeHead(200).end("é".repeat(200).slice(1).padStart(200, "x")));
    expect(cut.responseBody).toBe(`x${"é".repeat(127)}`);
    const terminal = await delivered((response) => response.writeHead(200).end("a\u001b[2J\u009b2J\u202eb\r\n\tc"));
    expect(terminal.responseBody).toBe("a\ufffd[2J\ufffd2J\ufffdb\r\n\tc");
  });

  test("does not speak HTTP fails the attempt", async () => {
    const row = await delivered((response) => void response.socket?.end("220 mail.example ESMTP\r\n"));
    expect(row).toMatchObject({ ...FAILED, responseCode: null });
    expect(row.error).toBe("response: not HTTP");
  });

  test("says nothing fails the attempt after 15 seconds, and one that dawdles with its body does not", async () => {
    const [silent, dawdling] = [await makeEndpoint(receiver.url("/silent")), await makeEndpoint(receiver.url("/body"))];
    receiver.respond = (response, { path }) => {
      if (path === "/body") response.writeHead(200).write("partly");
    };
    for (const endpoint of [silent, dawdling]) {
      await makeEvents(endpoint);
      deliveryWorker.notify(endpoint.id);
    }
    await deliveryWorker.quiet();
    const [failed] = await deliveriesOf(silent);
    expect(failed).toMatchObject({ ...FAILED, responseCode: null, error: "timeout: no response within 15 s" });
    expect(failed?.durationMs).toBeGreaterThanOrEqual(14_900);
    expect(failed?.durationMs).toBeLessThan(25_000);
    const [arrived] = await deliveriesOf(dawdling);
    expect(arrived).toMatchObject({ status: "succeeded", responseBody: "partly" });
  });

  test("has a certificate no one vouches for fails the attempt", async () => {
    const strangers = new DeliveryWorker();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint);
    strangers.notify(endpoint.id);
    await strangers.quiet();
    await strangers.stop();
    const [row] = await deliveriesOf(endpoint);
    expect(row).toMatchObject({ ...FAILED, responseCode: null });
    expect(row?.error).toMatch(/^tls: /);
    expect(receiver.received).toEqual([]);
  });

  test("does not listen fails the attempt", async () => {
    await receiver.stop();
    receiver = await Receiver.start("https", "127.0.0.1", await freePort());
    const url = receiver.url();
    await receiver.stop();
    const endpoint = await makeEndpoint(url);
    await makeEvents(endpoint);
    await deliver(endpoint);
    expect((await deliveriesOf(endpoint))[0]).toMatchObject({ ...FAILED, error: "connect: ECONNREFUSED" });
    receiver = await Receiver.start("https");
  });
});
