import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startLocalDatabase } from "@/test/services/local-database";
import { authority, Receiver } from "@/test/services/receiver";
import { deliveriesOf, makeEndpoint, makeEvents } from "@/test/webhooks/endpoint";
import { DeliveryWorker } from "./delivery/delivery-worker";
import { DeliverySender, type Resolve } from "./delivery/sender";

const LOCAL = 46630;
const PUBLIC = 4663;

let database: { stop(): Promise<void> };
let receiver: Receiver;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());
beforeEach(async () => {
  receiver = await Receiver.start("https");
});
afterEach(() => receiver.stop());

/** Returns the only delivery after one attempt by a process whose name server responds like this. */
async function attempted(url: string, chainId: number, resolve?: Resolve) {
  const deliveryWorker = new DeliveryWorker({ sender: new DeliverySender({ ca: authority(), resolve }) });
  const endpoint = await makeEndpoint(url, { chainId });
  await makeEvents(endpoint);
  deliveryWorker.notify(endpoint.id);
  await deliveryWorker.quiet();
  await deliveryWorker.stop();
  const [row] = await deliveriesOf(endpoint);
  return row;
}

describe("a name", () => {
  test.each([
    ["127.0.0.1"],
    ["::1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["93.184.216.34", "127.0.0.1"],
  ])("that resolves to %s is not connected to, on either network, and the delivery says why", async (...addresses) => {
    for (const chainId of [LOCAL, PUBLIC]) {
      const row = await attempted("https://hooks.example.com:8443/", chainId, async () => addresses);
      expect(row).toMatchObject({ status: "failed", attempt: 1, responseCode: null });
      expect(row?.error).toBe(
        `address: hooks.example.com resolves to ${addresses.at(-1)}, which ${reasons[addresses.at(-1) ?? ""]}`,
      );
    }
  });

  const reasons: Record<string, string> = {
    "127.0.0.1": "is a loopback address",
    "::1": "is a loopback address",
    "10.0.0.1": "is a private address",
    "169.254.169.254": "is a linkLocal address",
    "::ffff:127.0.0.1": "is a ipv4Mapped address",
    "64:ff9b::7f00:1": "is a rfc6052 address",
  };

  test("whose response changes is checked again for each connection, and the checked address is the one used", async () => {
    // `localhost`, the only name on the local stack that may lead to this machine, with a name server whose responses
    // change.
    const answers = [["127.0.0.1"], ["10.0.0.1"], ["93.184.216.34"]];
    const asked: string[] = [];
    const deliveryWorker = new DeliveryWorker({
      sender: new DeliverySender({
        ca: authority(),
        resolve: async (host) => {
          asked.push(host);
          return answers[asked.length - 1] ?? ["127.0.0.1"];
        },
      }),
    });
    receiver.respond = (response) => response.writeHead(200, { connection: "close" }).end();
    const rows = [];
    for (let i = 0; i < 4; i++) {
      const endpoint = await makeEndpoint(receiver.url());
      await makeEvents(endpoint);
      deliveryWorker.notify(endpoint.id);
      await deliveryWorker.quiet();
      rows.push(...(await deliveriesOf(endpoint)));
    }
    await deliveryWorker.stop();
    expect(asked).toEqual(Array(4).fill("localhost"));
    expect(rows.map(({ status }) => status)).toEqual(["succeeded", "failed", "failed", "succeeded"]);
    expect(rows[1]?.error).toBe("address: localhost resolves to 10.0.0.1, which is not this machine");
    expect(receiver.connections).toBe(2);
  });

  test("that does not resolve fails the attempt", async () => {
    const nobody = async () => {
      throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
    };
    const row = await attempted("https://hooks.example.com/", PUBLIC, nobody);
    expect(row).toMatchObject({ status: "failed", error: "dns: the name does not resolve (ENOTFOUND)" });
  });
});

describe("this machine", () => {
  test("is reached by endpoints of the local stack alone, over http and https", async () => {
    const plain = await Receiver.start("http");
    for (const url of [plain.url(), `http://127.0.0.1:${plain.port}/`, receiver.url()]) {
      expect(await attempted(url, LOCAL)).toMatchObject({ status: "succeeded" });
      expect(await attempted(url, PUBLIC)).toMatchObject({ status: "failed", responseCode: null });
    }
    expect([plain.received.length, receiver.received.length]).toEqual([2, 1]);
    await plain.stop();
  });

  test.each(["127.0.0.1", "::1"])("is reached as localhost when the receiver listens at %s only", async (host) => {
    const plain = await Receiver.start("http", host);
    expect(await attempted(plain.url(), LOCAL)).toMatchObject({ status: "succeeded" });
    await plain.stop();
  });

  test("is not taken for silent because the worker was busy for half a second while it connected", async () => {
    const busy: Resolve = async () => {
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
      return ["127.0.0.1", "::1"];
    };
    expect(await attempted(receiver.url(), LOCAL, busy)).toMatchObject({ status: "succeeded", error: null });
  });

  test.each([
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::ffff:7f00:1]/",
    "https://user:password@hooks.example.com/",
    "https://hooks.example.com:22/",
    "http://hooks.example.com/",
  ])("is protected from a stored %s too: no connection is opened", async (url) => {
    const row = await attempted(url, LOCAL, async () => ["93.184.216.34"]);
    expect(row).toMatchObject({ status: "failed", responseCode: null, durationMs: 0 });
    expect(row?.error).toMatch(/^address: the URL /);
  });

  test("is not reached by a redirect either", async () => {
    let connected = 0;
    const inner = createServer(() => {
      connected += 1;
    });
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    const { port } = inner.address() as { port: number };
    receiver.respond = (response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    expect(await attempted(receiver.url(), LOCAL)).toMatchObject({ status: "failed", responseCode: 307 });
    expect(connected).toBe(0);
    inner.close();
  });
});
