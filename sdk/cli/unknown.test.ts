import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { halcyon } from "@/test/sdk/command-line";

let posts: (string | undefined)[] = [];
const server = createServer((request, response) => {
  if (request.method === "POST") posts.push(request.headers["idempotency-key"]?.toString());
  response.statusCode = 500;
  response.end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HALCYON_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

test("a payment whose response was lost ends with status 2 and names the key under which it is repeated", async () => {
  const { status, out, err } = await halcyon("send", "--to", "@bob", "--amount", "25", "--json");
  expect([status, out]).toEqual([2, ""]);
  const { error } = JSON.parse(err) as { error: { outcome: string; idempotency_key: string; message: string } };
  expect(error).toMatchObject({ outcome: "unknown", message: expect.stringContaining(error.idempotency_key) });
  // The client's own retries used this key too.
  expect(new Set(posts)).toEqual(new Set([error.idempotency_key]));
  posts = [];
  const again = await halcyon("send", "--to", "@bob", "--amount", "25", "--idempotency-key", "order-7");
  expect([again.status, new Set(posts)]).toEqual([2, new Set(["order-7"])]);
  expect(again.err).toMatch(/It is not known yet .* order-7/s);
});

test("an approval whose response was lost ends so too, and can be repeated under its key", async () => {
  posts = [];
  const { status, err } = await halcyon("approve", "txn_1", "--idempotency-key", "approve-7", "--json");
  expect([status, new Set(posts)]).toEqual([2, new Set(["approve-7"])]);
  expect(JSON.parse(err).error).toMatchObject({ outcome: "unknown", idempotency_key: "approve-7" });
});
