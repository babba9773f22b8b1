import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { authority, Receiver } from "@/test/services/receiver";
import { publicFetch, UrlRefused } from "./public-fetch";
import { DeliverySender } from "./sender";

let shop: Receiver;
/** The addresses to which every name resolves. */
let leadsTo: string[] = [];
const sender = new DeliverySender({ resolve: async () => leadsTo, ca: authority() });
const world = publicFetch(false, sender);
const local = publicFetch(true, sender);

beforeAll(async () => {
  shop = await Receiver.start();
});
afterEach(() => {
  leadsTo = [];
  shop.respond = (response) => response.writeHead(204).end();
});
afterAll(async () => {
  await sender.close();
  await shop.stop();
});

test.each([
  "http://shop.example/",
  "https://127.0.0.1/",
  "https://10.0.0.7/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[fd00::1]/",
  "https://shop.example:22/",
  "https://intranet/",
  "https://user:secret@shop.example/",
  "http://localhost:5432/",
  "file:///etc/passwd",
])("%s is not requested", async (url) => {
  await expect(world(url)).rejects.toThrow();
  expect(shop.received).toEqual([]);
});

test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "::ffff:127.0.0.1", "fd00::1"])(
  "a public name that leads to %s is not connected to",
  async (address) => {
    leadsTo = [address];
    await expect(world("https://shop.example/")).rejects.toMatchObject({ cause: { code: "ADDRESS_REFUSED" } });
  },
);

test("no encoding is asked for, and none is decoded that comes all the same", async () => {
  leadsTo = ["127.0.0.1"];
  const url = shop.url("");
  const text = Buffer.from("the text");
  for (const [coding, body] of [
    ["br", brotliCompressSync(text)],
    ["gzip", gzipSync(text)],
    ["identity, br", brotliCompressSync(text)],
  ] as const) {
    shop.respond = (response) => response.writeHead(200, { "content-encoding": coding }).end(body);
    await expect(local(url, { headers: { "accept-encoding": "br" } })).rejects.toThrow(UrlRefused);
    expect(shop.received.at(-1)?.headers["accept-encoding"]).toBe("identity");
  }
  shop.respond = (response) => response.writeHead(200, { "content-encoding": "Identity" }).end(text);
  expect(await (await local(url)).text()).toBe("the text");
});

test("a redirect is followed nowhere, also to an address that could be asked", async () => {
  leadsTo = ["127.0.0.1"];
  const url = shop.url("");
  shop.respond = (response) => response.writeHead(302, { location: `${url}/next` }).end();
  const before = shop.received.length;
  await expect(local(url)).rejects.toThrow(UrlRefused);
  expect(shop.received).toHaveLength(before + 1);
});

test("method, headers and body arrive as they were given; of an endless response the beginning is read", async () => {
  leadsTo = ["127.0.0.1"];
  const url = shop.url("");
  shop.respond = (response) => {
    response.writeHead(402, { "payment-required": "abc", "content-type": "text/plain" });
    const more = () => {
      while (response.write("x".repeat(65_536)));
      response.once("drain", more);
    };
    more();
  };
  const response = await local(`${url}/buy?x=1`, { method: "POST", headers: { "x-a": "1" }, body: "order" });
  expect(response.status).toBe(402);
  expect(response.headers.get("payment-required")).toBe("abc");
  expect(await response.text()).toBe("x".repeat(256 * 1024));
  const got = shop.received.at(-1);
  expect(got).toMatchObject({
    path: "/buy?x=1",
    body: "order",
    headers: { "x-a": "1", "user-agent": "Halcyon-MCP/1" },
  });
  expect(got?.headers.cookie).toBeUndefined();
});
