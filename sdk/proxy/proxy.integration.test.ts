import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/keys";
import { env } from "@/lib/base/env";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { MemoryPins, ORIGIN, serveInProcess } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { Halcyon } from "../client";
import { listeningFetch } from "./build-transfer";
import { type RunningProxy, serveProxy } from "./serve-proxy";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let keys: Awaited<ReturnType<typeof createBlindKey>>;
let upstream: Awaited<ReturnType<typeof overHttp>>;
const open: RunningProxy[] = [];

/** The service in this process over HTTP. It keeps what it is sent and what it responds. */
async function overHttp() {
  const texts: string[] = [];
  let lose: (request: Request) => boolean = () => false;
  const server = createServer((incoming, response) => {
    const serve = async () => {
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part as Buffer);
      const { method = "GET", url = "/", headers } = incoming;
      const body = Buffer.concat(parts);
      texts.push(`${method} ${url}`, JSON.stringify(headers), body.toString());
      const init = { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) };
      const request = new Request(ORIGIN + url, init);
      const honest = await serveInProcess(request);
      if (lose(request)) return void response.destroy();
      texts.push(await honest.clone().text());
      response.writeHead(honest.status, Object.fromEntries(honest.headers));
      if (honest.body) Readable.fromWeb(honest.body as ReadableStream).pipe(response);
      else response.end();
    };
    serve().catch((error: unknown) => {
      texts.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    losing: (which: typeof lose) => {
      lose = which;
    },
    close: () => server.close(),
  };
}

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 987_654_321n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
  keys = await createBlindKey(owner);
  upstream = await overHttp();
});
afterEach(async () => {
  upstream.losing(() => false);
  await Promise.all(open.splice(0).map((proxy) => proxy.close()));
});
afterAll(() => {
  upstream?.close();
  return services?.stop();
});

async function proxy(homeKeys = [keys.homeKey], service = upstream.url): Promise<string> {
  const settings = { url: service, rpcUrl: env().chains.test.rpcUrl, fetch: listeningFetch, maxRetries: 0 };
  const clientOf = (pair: { apiKey: string; homeKey: string; network: "test" | "live" }) =>
    new Halcyon({ ...settings, ...pair, pins: new MemoryPins() });
  const running = await serveProxy({ service, homeKeys, port: 0, clientOf }, () => {});
  open.push(running);
  return running.url;
}

interface Said {
  status: number;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown> & { error?: { code: string; message: string } };
}

/** Sends a request as any HTTP client does. */
function ask(
  url: string,
  given: { method?: string; headers?: object; body?: unknown; key?: string } = {},
): Promise<Said> {
  const { method = "POST", body, key = keys.text } = given;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...given.headers };
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : {} });
    });
    request.once("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const pay = (url: string, amount: string, idempotencyKey: string = crypto.randomUUID(), key?: string) =>
  ask(`${url}/v1/transfers`, {
    body: { to: `@${payee.account.handle}`, amount, asset: "USDG", memo: "canary" },
    headers: { "idempotency-key": idempotencyKey },
    ...(key && { key }),
  });
const available = async () => (await owner.decryptAvailable()).limit;

test("any HTTP client pays by base URL, with the plain path's body and response, and the service sees no amount", async () => {
  const url = await proxy();
  const before = await available();
  const sent = upstream.texts.length;
  const id = crypto.randomUUID();
  const paid = await pay(url, "31.415927", id);
  expect(paid.status).toBe(201);
  const plain = await pay(upstream.url, "1", undefined, (await createApiKey(owner)).text);
  expect(Object.keys(paid.body).sort()).toEqual(Object.keys(plain.body).sort());
  expect(paid.body).toMatchObject({ to: plain.body.to, from: plain.body.from, asset: "USDG", confidential: true });
  expect(await available()).toBe(before - 31_415_927n - 1_000_000n);
  const seen = upstream.texts.slice(sent).join("\n");
  for (const secret of ["31.415927", "31415927", keys.homeKey]) expect(seen).not.toContain(secret);
  const again = await pay(await proxy(), "31.415927", id);
  expect([again.status, again.body.transfer_id]).toEqual([201, paid.body.transfer_id]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  const listed = await ask(`${url}/v1/transfers?limit=1`, { method: "GET" });
  expect(listed.body.transfers).toHaveLength(1);
});

test("a proxy that ends at any point of a payment leaves one that pays once under its Idempotency-Key", async () => {
  const before = await available();
  for (const [at, path] of ["/v1/transfers/plan", "/v1/transfers"].entries()) {
    const id = crypto.randomUUID();
    upstream.losing(({ url }) => new URL(url).pathname === path);
    const lost = await pay(await proxy(), "2", id);
    expect([503, 504]).toContain(lost.status);
    upstream.losing(() => false);
    const both = await Promise.all([pay(await proxy(), "2", id), pay(await proxy(), "2", id)]);
    expect(both.some(({ status }) => status === 201)).toBe(true);
    await db().delete(idempotencyKeys);
    expect((await pay(await proxy(), "2", id)).status).toBe(201);
    expect(await available()).toBe(before - 2_000_000n * BigInt(at + 1));
  }
});

test("payments that come at once through one proxy are all made", async () => {
  const [url, before] = [await proxy(), await available()];
  const paid = await Promise.all([1, 2, 3].map(() => pay(url, "1")));
  expect(paid.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await available()).toBe(before - 3_000_000n);
});

test("a body with an amount stays on this machine, however its path is written and with any key or none", async () => {
  const url = await proxy();
  const sent = upstream.texts.length;
  const body = { to: `@${payee.account.handle}`, amount: "77.654321" };
  const plain = await createApiKey(owner);
  for (const path of ["/v1/transfers/", "/v1//transfers", "/v1/%74ransfers", "/x/../v1/transfers"]) {
    await ask(url + path, { body: { ...body, invented: 1 } });
    await ask(url + path, { body, headers: { authorization: "" } });
    await ask(url + path, { body, key: plain.text });
  }
  const dry = await ask(`${url}/v1/transfers?dry_run=true`, { body });
  expect(dry).toMatchObject({ status: 200, body: { dry_run: true, outcome: "allowed" } });
  const refund = { refund_of: "tr_1", to: "@a" };
  for (const more of [refund, { exact: true }]) {
    const said = await ask(`${url}/v1/transfers`, { body: { ...body, ...more } });
    expect(said.body.error?.code).toBe("key_forbidden");
  }
  const payment = { to: body.to, amount: body.amount };
  const rule = { frequency: "monthly", start: "2027-01-01" };
  const others: [method: string, path: string, body: object][] = [
    ["POST", "/v1/payouts", { rows: [{ ...payment, invented: 1 }] }],
    ["POST", "/v1/schedules", { payments: [payment], asset: "USDG", rule }],
    ["PATCH", "/v1/schedules/sch_1", { payments: [payment] }],
    ["POST", "/mcp", { params: { arguments: payment } }],
  ];
  for (const [method, path, given] of others) {
    for (const key of [keys.text, plain.text]) {
      const said = await ask(url + path, { method, body: given, key });
      expect([path, said.status >= 400 && said.status < 500]).toEqual([path, true]);
    }
  }
  expect(upstream.texts.slice(sent).join("\n")).not.toContain("77.654321");
});

test("a refund is made by base URL with the plain path's body, and once under its Idempotency-Key", async () => {
  const url = await proxy();
  const payer = await Owner.funded(CHAIN, 9_000_000n);
  const paid = await ask(`${upstream.url}/v1/transfers`, {
    body: { to: `@${owner.account.handle}`, amount: "5" },
    key: (await createApiKey(payer)).text,
  });
  const seen = () => ask(`${upstream.url}/v1/transfers/${paid.body.transfer_id}`, { method: "GET" });
  // Only then does the service say where a refund goes.
  await expect.poll(async () => (await seen()).body.status).toBe("confirmed");
  const before = await available();
  const sent = upstream.texts.length;
  const refund = { refund_of: paid.body.transfer_id, amount: "3.141592", memo: "canary" };
  const given = { body: refund, headers: { "idempotency-key": crypto.randomUUID() } };
  const back = await ask(`${url}/v1/transfers`, given);
  expect(back).toMatchObject({ status: 201, body: { refund_of: refund.refund_of, to: `@${payer.account.handle}` } });
  expect(await ask(`${url}/v1/transfers`, given)).toMatchObject({ status: 201 });
  expect(await available()).toBe(before - 3_141_592n);
  expect(upstream.texts.slice(sent).join("\n")).not.toMatch(/3\.?141592|canary/);
  const wrong = { body: { ...refund, asset: "ETH" } };
  expect((await ask(`${url}/v1/transfers`, wrong)).body.error).toMatchObject({ param: "asset" });
});

test("a burst is made with one proof for several, and each caller gets its own transfer as the plain path has it", async () => {
  const url = await proxy();
  await pay(url, "1");
  const before = await available();
  const sent = upstream.texts.length;
  const ids = [1, 2, 3, 4, 5, 6].map(() => crypto.randomUUID());
  const payAll = () => Promise.all(ids.map((id) => pay(url, "1", id)));
  const idsOf = (all: Said[]) => all.map(({ status, body }) => [status, body.transfer_id]);
  const paid = await payAll();
  expect(paid.map(({ status }) => status)).toEqual(paid.map(() => 201));
  expect(new Set(paid.map(({ body }) => body.transfer_id)).size).toBe(paid.length);
  expect(idsOf(await payAll())).toEqual(idsOf(paid));
  const plain = await pay(upstream.url, "1", undefined, (await createApiKey(owner)).text);
  for (const { body } of paid) expect(Object.keys(body).sort()).toEqual(Object.keys(plain.body).sort());
  expect(upstream.texts.slice(sent)).toContain("POST /v1/transfers/batch");
  expect(await available()).toBe(before - 7_000_000n);
});

test("a payout is made by base URL with the plain path's body, and its rows leave this machine encrypted", async () => {
  const url = await proxy();
  const before = await available();
  const sent = upstream.texts.length;
  const to = `@${payee.account.handle}`;
  const rows = ["27.182818", "2.718281"].map((amount) => ({ to, amount, memo: `canary ${amount}` }));
  const headers = { "idempotency-key": crypto.randomUUID() };
  const checked = await ask(`${url}/v1/payouts?dry_run=true`, { body: { rows } });
  expect(checked).toMatchObject({ status: 200, body: { dry_run: true, rows: 2, faults: [] } });
  const created = await ask(`${url}/v1/payouts`, { body: { rows }, headers });
  expect(created).toMatchObject({ status: 201, body: { rows: 2, rows_pending: 0, rows_failed: 0 } });
  const again = await ask(`${await proxy()}/v1/payouts`, { body: { rows }, headers });
  expect(again).toMatchObject({ status: 201, body: { payout_id: created.body.payout_id } });
  const resumed = await ask(`${url}/v1/payouts/${created.body.payout_id}/resume`, { body: {} });
  expect(resumed).toMatchObject({ status: 200, body: { payout_id: created.body.payout_id, rows_pending: 0 } });
  expect(await available()).toBe(before - 29_901_099n);
  expect(upstream.texts.slice(sent).join("\n")).not.toMatch(/27\.?182818|2\.718281|canary/);

  const plain = await createApiKey(owner);
  const theirs = await ask(`${upstream.url}/v1/payouts`, { body: { rows: rows.slice(1) }, key: plain.text });
  const path = `/v1/payouts/${theirs.body.payout_id}/resume`;
  expect(await ask(url + path, { key: plain.text })).toMatchObject({ status: 200, body: { rows: 1 } });
  const unknown = await ask(`${url}/v1/payouts`, { body: { rows: [{ to: "@nobody-at-all", amount: "1" }] } });
  expect(unknown).toMatchObject({ status: 400, body: { error: { errors: [{ param: "rows.0.to" }] } } });
});

test("errors are the service's own, and what is wrong with the proxy's set-up has one of its own", async () => {
  const url = await proxy();
  expect((await pay(url, "1000000")).body.error?.code).toBe("insufficient_balance");
  const unknown = { body: { to: "@nobody-at-all", amount: "1" } };
  const [here, there] = [
    await ask(`${url}/v1/transfers`, unknown),
    await ask(`${upstream.url}/v1/transfers`, { ...unknown, key: (await createApiKey(owner)).text }),
  ];
  expect([here.status, here.body.error?.message]).toEqual([there.status, there.body.error?.message]);
  const other = await createBlindKey(owner);
  const wrong = await pay(await proxy([other.homeKey]), "1");
  expect(wrong).toMatchObject({ status: 403, body: { error: { code: "key_forbidden" } } });
  expect(wrong.body.error?.message).toContain("no home key of this API key");
  expect((await pay(await proxy([other.homeKey, keys.homeKey]), "1")).status).toBe(201);
  const live = await pay(await proxy([generateHomeKey(4663)]), "1");
  expect(live).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining("other network") } } });
  const away = await pay(await proxy(undefined, "http://127.0.0.1:9"), "1");
  expect(away).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
  const payment = { to: `@${payee.account.handle}`, amount: "1" };
  const straight: [path: string, body: object][] = [
    ["/v1/transfers", payment],
    ["/v1/transfers?dry_run=true", payment],
    ["/v1/payouts", { rows: [payment] }],
    ["/v1/payouts?dry_run=true", { rows: [payment] }],
    ["/v1/schedules", { payments: [payment], asset: "USDG", rule: { frequency: "daily", start: "2027-01-01" } }],
  ];
  for (const [path, body] of straight) {
    const said = await ask(upstream.url + path, { body });
    expect(said).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining("halcyon proxy") } } });
  }
});
