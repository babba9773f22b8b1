import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import type { RouteHandler } from "./declared-route";
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

test("HEAD has the headers of the GET and no body", async () => {
  const [head, get] = await Promise.all([
    fetch(`${origin}/v1/things/1`, { method: "HEAD" }),
    fetch(`${origin}/v1/things/1`),
  ]);
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
  expect(await head.text()).toBe("");
});
