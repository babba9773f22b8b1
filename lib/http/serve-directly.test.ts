import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import type { RouteHandler } from "./declared-route";
import { cutSlowReaders } from "./least-rate";
import { asRouteHandler } from "./plain-response";
import { route } from "./route";
import { serveDirectly } from "./serve-directly";

/** A route of the API that anyone may call. */
const declared = {
  GET: route({
    auth: "public",
    query: z.strictObject({ name: z.string().optional() }),
    handle: async ({ params, query }) => ({ id: params.id, name: query.name ?? "é, 漢 and 💶" }),
    serialize: (found) => found,
    headers: () => ({ Location: "/v1/things/1" }),
  }),
  POST: route({
    auth: "public",
    body: z.strictObject({ amount: z.string() }),
    handle: async ({ body }) => body,
    status: 201,
    serialize: (body) => body,
  }),
  PATCH: route({
    auth: "public",
    handle: async () => {
      throw new ApiError("unavailable", "Not now.", { retryAfter: 3 });
    },
    serialize: () => null,
  }),
  PUT: route({ auth: "public", handle: async () => Buffer.from('{"id":"1"}'), serialize: (json) => json }),
  DELETE: route({ auth: "public", handle: async () => undefined, status: 204, serialize: () => null }),
} as Record<string, RouteHandler>;

const params = { id: "thing_1" };
let server: Server;
let origin: string;

async function read(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const found = { handler: declared[method] as RouteHandler, params };
    void serveDirectly(request, response, found, () => read(request), origin);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Headers that differ between requests, or depend on the connection. */
const VARYING = ["x-request-id", "date", "connection", "keep-alive", "content-length"];

async function shown(response: Response) {
  const text = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !VARYING.includes(name)));
  return { status: response.status, headers, text: text.replace(/req_\w+/, "") };
}

test.each([
  ["GET", "/v1/things/1", undefined],
  ["GET", "/v1/things/1?name=a%20b%22", undefined],
  ["GET", "/v1/things/1?name=a&name=b", undefined],
  ["GET", "/v1/things/1?unknown=1", undefined],
  ["POST", "/v1/things/1", '{"amount":"1"}'],
  ["POST", "/v1/things/1", '{"amount":"1","amount":"2"}'],
  ["POST", "/v1/things/1", "{"],
  ["POST", "/v1/things/1", "[]"],
  ["POST", "/v1/things/1", " ".repeat(64 * 1024 + 1)],
  ["PATCH", "/v1/things/1", undefined],
  ["PUT", "/v1/things/1", undefined],
  ["DELETE", "/v1/things/1", undefined],
])("%s %s is served by the server in front as Next serves it", async (method, path, body) => {
  const request = () => new Request(`${origin}${path}`, { method, body: body ?? null });
  const [direct, next] = await Promise.all([
    fetch(request()),
    (declared[method] as RouteHandler)(request(), { params: Promise.resolve(params) }),
  ]);
  const length = direct.headers.get("content-length");
  const served = await shown(direct);
  expect(served).toEqual(await shown(next));
  const bytes = Buffer.byteLength(served.text);
  // Request ids all have the same length.
  expect(Number(length ?? 0)).toBe(served.status < 400 ? bytes : bytes + "req_".length + 26);
});

test("JSON that is bytes already is sent as it is", async () => {
  const served = await fetch(`${origin}/v1/things/1`, { method: "PUT" });
  expect([served.headers.get("content-type"), await served.text()]).toEqual(["application/json", '{"id":"1"}']);
});

test("HEAD has the headers of the GET and no body", async () => {
  const [head, get] = await Promise.all([
    fetch(`${origin}/v1/things/1`, { method: "HEAD" }),
    fetch(`${origin}/v1/things/1`),
  ]);
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
  expect(await head.text()).toBe("");
});

/** More than the buffers of two kernels take, twice of which one address may leave unread. */
const LARGE = 15 * 1024 * 1024;
const large = route({
  auth: "public",
  handle: async () => "a".repeat(LARGE),
  serialize: (text) => ({ text }),
}) as RouteHandler;
/** The same, for an account that the request names. */
const ofAccount = asRouteHandler(async ({ headers }) => {
  return { status: 200, headers: {}, text: "a".repeat(LARGE), reader: headers.get("authorization") ?? "" };
});

/** Serves a large text, and collects the responses. */
async function serveLarge(handler = large): Promise<{ server: Server; port: number; responses: ServerResponse[] }> {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    void serveDirectly(request, response, { handler, params: {} }, () => read(request), origin);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port, responses };
}

test("a large text is sent in pieces, so that a client that stops reading it is noticed and cut off", async () => {
  const { server: serving, port } = await serveLarge();
  cutSlowReaders(serving, { bytesPerSecond: 1e9, pauseMs: 100, checkMs: 10 });
  const client = connect(port, "127.0.0.1");
  try {
    client.on("error", () => {});
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const [request] = (await once(serving, "request")) as [IncomingMessage];
    await once(request.socket, "close");
    expect(request.socket.bytesWritten).toBeLessThan(LARGE);
    expect(request.socket.writableLength).toBeLessThan(200 * 1024);
  } finally {
    client.destroy();
    serving.close();
  }
});

test("one address leaves only so much unread; others are served, and so is it when its clients are gone", async () => {
  const { server: serving, port, responses } = await serveLarge();
  const opened: IncomingMessage[] = [];
  const ask = async (address: string) => {
    const headers = { "x-halcyon-client": address };
    const asked = get({ port, host: "127.0.0.1", headers, agent: false });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    opened.push(response.on("error", () => {}));
    return response;
  };
  try {
    const [first] = [await ask("203.0.113.5"), await ask("203.0.113.5")];
    const refused = await ask("203.0.113.5");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect((await ask("203.0.113.6")).statusCode).toBe(200);
    const gone = once(responses[0] as ServerResponse, "close");
    first.destroy();
    await gone;
    expect((await ask("203.0.113.5")).statusCode).toBe(200);
  } finally {
    for (const response of opened) response.destroy();
    serving.close();
  }
});

test("what an account leaves unread counts wherever it asks from, and for no one else at its address", async () => {
  const { server: serving, port } = await serveLarge(ofAccount);
  const opened: IncomingMessage[] = [];
  const ask = async (authorization: string, address: string) => {
    const headers = { authorization, "x-halcyon-client": address };
    const [response] = (await once(get({ port, host: "127.0.0.1", headers, agent: false }), "response")) as [
      IncomingMessage,
    ];
    opened.push(response.on("error", () => {}));
    return response.statusCode;
  };
  try {
    expect([await ask("one", "203.0.113.7"), await ask("one", "203.0.113.8")]).toEqual([200, 200]);
    expect(await ask("one", "203.0.113.9")).toBe(429);
    expect(await ask("two", "203.0.113.7")).toBe(200);
  } finally {
    for (const response of opened) response.destroy();
    serving.close();
  }
});
