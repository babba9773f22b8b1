import { once as arrived } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { freePort } from "@/test/services/free-port";
import { apiErrorOf, InsufficientBalanceError, InternalError } from "./api-errors";
import { Call } from "./call";
import { ApiCallError, ServiceUnreachable } from "./errors";
import { Http } from "./http";
import { pauseBefore } from "./pause-before";

const CLASSES = { apiError: apiErrorOf };

let server: Server | undefined;

function listen(
  respond: (count: number) => { status: number; headers?: Record<string, string>; body: string | Buffer },
  port = 0,
): Promise<string> {
  let count = 0;
  const listening = createServer((_, response) => {
    const { status, headers, body } = respond(++count);
    response.writeHead(status, headers).end(body);
  });
  server = listening;
  return new Promise((resolve) => {
    listening.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`));
  });
}

afterEach(() => {
  server?.close();
  server = undefined;
});

test("an error response is thrown with the API's code, status, parameter, request id and page", async () => {
  const doc_url = "https://pay.example/docs/errors/recipient_not_found";
  const body = {
    error: { code: "recipient_not_found", message: "Nobody.", param: "to", request_id: "req_1", doc_url },
  };
  const url = await listen(() => ({ status: 404, body: JSON.stringify(body) }));
  const error = await new Http(url, CLASSES)
    .send("POST", "/v1/transfers", { json: {} })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiCallError);
  const docUrl = doc_url;
  expect(error).toMatchObject({ code: "recipient_not_found", status: 404, param: "to", requestId: "req_1", docUrl });
});

test("a service's response is asked for and read without any encoding, whatever it would decode to", async () => {
  const bomb = gzipSync(JSON.stringify({ ok: "x".repeat(1_000_000) }));
  const url = await listen(() => ({ status: 200, headers: { "content-encoding": "gzip" }, body: bomb }));
  let asked: string | undefined;
  server?.on("request", ({ headers }) => {
    asked = headers["accept-encoding"];
  });
  const error = await new Http(url, CLASSES).send("GET", "/v1/transfers").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceUnreachable);
  expect((error as ServiceUnreachable).cause).toMatchObject({ message: expect.stringContaining("not asked for") });
  expect(asked).toBe("identity");
});

test("of an endless response no more than 64 MiB is read", async () => {
  const part = new Uint8Array(1024 * 1024);
  let parts = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        parts += 1;
        controller.enqueue(part);
      },
    });
  const settings = { ...CLASSES, fetch: async () => new Response(endless()) };
  const http = new Http("http://127.0.0.1:1", settings, new Call({ maxRetries: 0 }));
  const refused = { cause: { name: "ResponseTooLarge" } };
  await expect(http.send("GET", "/v1/transfers")).rejects.toMatchObject(refused);
  expect(parts).toBeLessThan(70);
});

const errorBody = (code: string) => JSON.stringify({ error: { code, message: "Not now." } });
const once = (status: number, code: string, headers?: Record<string, string>) => (count: number) =>
  count === 1 ? { status, headers, body: errorBody(code) } : { status: 200, body: JSON.stringify({ count }) };
const keyed = { headers: { "idempotency-key": "one" }, json: {} };

test("a refusal of the rate limit is waited out as long as it says and the request repeated, whatever it is", async () => {
  const url = await listen(once(429, "rate_limited", { "retry-after": "1" }));
  const started = performance.now();
  await expect(new Http(url, CLASSES).send("POST", "/", { json: {} })).resolves.toMatchObject({ body: { count: 2 } });
  expect(performance.now() - started).toBeGreaterThan(990);
});

test("a gateway says when to come back by a date: it is waited for as well", async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const url = await listen(once(429, "rate_limited", { "retry-after": date }));
  const refused = await new Http(url, CLASSES).send("POST", "/", { json: {} }).catch((error: unknown) => error);
  const { retryAfter } = refused as { retryAfter: number };
  expect(retryAfter).toBeGreaterThan(3_500);
  expect(retryAfter).toBeLessThanOrEqual(3_600);
});

test.each([500, 502, 503, 504])("a read, and what has an idempotency key, is repeated after a %d", async (status) => {
  for (const [method, request] of [["GET", {}] as const, ["POST", keyed] as const]) {
    const url = await listen(once(status, "internal"));
    await expect(new Http(url, CLASSES).send(method, "/", request)).resolves.toMatchObject({ body: { count: 2 } });
    server?.close();
  }
});

test("a payment is never repeated without its idempotency key, nor is what would fail again", async () => {
  const url = await listen(once(500, "internal"));
  await expect(new Http(url, CLASSES).send("POST", "/", { json: {} })).rejects.toBeInstanceOf(InternalError);
  server?.close();
  const other = await listen(once(402, "insufficient_balance"));
  await expect(new Http(other, CLASSES).send("POST", "/", keyed)).rejects.toBeInstanceOf(InsufficientBalanceError);
  server?.close();
  const late = await listen(once(429, "rate_limited", { "retry-after": "3600" }));
  await expect(new Http(late, CLASSES).send("GET", "/")).rejects.toMatchObject({
    name: "RateLimitedError",
    retryAfter: 3600,
  });
});

test("a request whose connection breaks is repeated under its key, no more often than allowed", async () => {
  let count = 0;
  const url = await listen(() => ({ status: 200, body: JSON.stringify({ count }) }));
  server?.prependListener("request", (request) => {
    if (++count < 3) request.socket.destroy();
  });
  await expect(new Http(url, CLASSES).send("POST", "/", keyed)).resolves.toMatchObject({ body: { count: 3 } });
  count = 0;
  await expect(new Http(url, CLASSES, new Call({ maxRetries: 1 })).send("POST", "/", keyed)).rejects.toBeInstanceOf(
    ServiceUnreachable,
  );
  count = 0;
  await expect(new Http(url, CLASSES).send("POST", "/", { json: {} })).rejects.toBeInstanceOf(ServiceUnreachable);
  expect(count).toBe(1);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ["part of a response", ({ socket }) => socket?.end("HTTP/1.1 2")],
  ["no response", ({ socket }) => socket?.destroy()],
])(
  "a payment is posted once for each attempt, and never thought refused, where a gateway sends %s",
  async (_, gateway) => {
    let posts = 0;
    // The connection of the first request is kept, and closed by the gateway when the payment is on it.
    const listening = createServer((request, response) => {
      if (request.method === "GET") return response.end("{}");
      posts += 1;
      return gateway(response);
    });
    server = listening;
    await arrived(listening.listen(0, "127.0.0.1"), "listening");
    const http = new Http(
      `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
      CLASSES,
      new Call({ maxRetries: 0 }),
    );
    for (const isKept of [false, true]) {
      posts = 0;
      if (isKept) await http.send("GET", "/v1/transfers");
      await expect(http.send("POST", "/v1/transfers", { json: {} })).rejects.toMatchObject({
        code: "unavailable",
        mayHaveHappened: true,
      });
      expect(posts).toBe(1);
    }
  },
);

test("a 100 Continue that a gateway sends unasked is read past: the payment is posted once, and has its response", async () => {
  let posts = 0;
  const url = await listen(() => ({ status: 200, body: "{}" }));
  server?.prependListener("request", ({ method }, response: ServerResponse) => {
    if (method === "POST") posts += 1;
    response.writeContinue();
  });
  const http = new Http(url, CLASSES, new Call({ maxRetries: 0 }));
  for (let sent = 1; sent <= 2; sent++) {
    await expect(http.send("POST", "/v1/transfers", { json: {} })).resolves.toMatchObject({ status: 200, body: {} });
    expect(posts).toBe(sent);
  }
});

test("of a change it is noted whether it may have happened: unless no server was there, or the service refused", async () => {
  const failing = async (url: string, method = "POST") => {
    const error = await new Http(url, CLASSES, new Call({ maxRetries: 0 }))
      .send(method, "/", { json: {} })
      .catch((thrown: unknown) => thrown);
    return (error as ServiceUnreachable).mayHaveHappened ?? false;
  };
  const url = await listen(() => ({ status: 200, body: "{}" }));
  server?.prependListener("request", (request) => void request.socket.destroy());
  expect([await failing(url), await failing(url, "GET")]).toEqual([true, false]);
  server?.close();
  expect(await failing("http://127.0.0.1:9")).toBe(false);
  const refusals = [
    [502, "<html>", true],
    [500, errorBody("internal"), true],
  ] as const;
  for (const [status, body, may] of refusals) {
    const at = await listen(() => ({ status, body }));
    expect(await failing(at), body).toBe(may);
    server?.close();
  }
  const redirected = await listen(() => ({ status: 302, headers: { location: "https://login.example" }, body: "" }));
  expect(await failing(redirected)).toBe(true);
  server?.close();
  const own = await listen(() => ({ status: 503, headers: { "x-request-id": "r" }, body: errorBody("unavailable") }));
  expect(await failing(own)).toBe(true);
});

test("a read that needs a body is repeated like any read, and changes nothing however it fails", async () => {
  const url = await listen(once(503, "unavailable"));
  const request = { json: {}, reads: true };
  await expect(new Http(url, CLASSES).send("POST", "/", request)).resolves.toMatchObject({ body: { count: 2 } });
  server?.close();
  const broken = await listen(() => ({ status: 500, body: errorBody("internal") }));
  const failed = new Http(broken, CLASSES, new Call({ maxRetries: 0 })).send("POST", "/", request);
  await expect(failed).rejects.not.toHaveProperty("mayHaveHappened");
});

test("silence and pages that are not the service's are named as such, with the remedy", async () => {
  await expect(new Http("http://127.0.0.1:9").send("GET", "/")).rejects.toThrow(/option url/);
  const url = await listen(() => ({ status: 200, body: "<html>" }));
  await expect(new Http(url, CLASSES).send("GET", "/")).rejects.toThrow(ServiceUnreachable);
});

test("where nothing has ever responded, a request fails after two more attempts", async () => {
  // Of no one else, also once the server is closed.
  const url = await listen(() => ({ status: 200, body: "{}" }), await freePort());
  await new Promise((resolve) => server?.close(resolve));
  let asked = 0;
  const counting: typeof fetch = (input, init) => {
    asked++;
    return fetch(input, init);
  };
  await expect(new Http(url, { fetch: counting }).send("GET", "/")).rejects.toBeInstanceOf(ServiceUnreachable);
  expect(asked).toBe(3);
});

test("a restart of the service is ridden out, also by what has no key: nothing of it was sent", async () => {
  const url = await listen(() => ({ status: 200, body: "{}" }), await freePort());
  let refused = 0;
  const counting: typeof fetch = (input, init) =>
    fetch(input, init).catch((error: unknown) => {
      // The server starts listening only after the fourth attempt.
      if (++refused === 4) server?.listen(Number(new URL(url).port), "127.0.0.1");
      throw error;
    });
  const http = new Http(url, { fetch: counting });
  await http.send("GET", "/");
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await expect(http.send("POST", "/", { json: {} })).resolves.toMatchObject({ status: 200 });
  expect(refused).toBe(4);
});

test("what is away is waited for half a minute, and no longer", () => {
  const refused = new ServiceUnreachable("", { cause: new TypeError("", { cause: { code: "ECONNREFUSED" } }) });
  const reset = new ServiceUnreachable("", { cause: new TypeError("", { cause: { code: "ECONNRESET" } }) });
  const offline = new ServiceUnreachable("", { cause: new TypeError() });
  const starting = new ApiCallError("unavailable", "", { status: 503, retryAfter: 1 });
  const busy = new ApiCallError("idempotency_in_progress", "", { status: 409, retryAfter: 1 });
  const broken = new ApiCallError("internal", "", { status: 500 });
  const at = (retries: number, elapsedMs: number) => ({ retries, elapsedMs, repeatable: true, known: true });
  for (const error of [refused, reset, starting, busy]) {
    expect(pauseBefore(error, at(9, 20_000))).toBeGreaterThan(0);
    expect(pauseBefore(error, at(9, 29_999))).toBeNull();
    expect(pauseBefore(error, { ...at(1, 0), maxRetries: 1 })).toBeNull();
  }
  // After a few retries, an offline user decides what to do, and a broken service is reported as broken.
  for (const error of [offline, broken]) {
    expect(pauseBefore(error, at(2, 0))).toBeGreaterThan(0);
    expect(pauseBefore(error, at(3, 0))).toBeNull();
  }
  for (const error of [reset, offline, starting, busy, broken]) {
    expect(pauseBefore(error, { ...at(0, 0), repeatable: false })).toBeNull();
  }
});
