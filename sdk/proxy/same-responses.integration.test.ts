import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { Agent } from "@/test/accounts/agent";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { MemoryPins, ORIGIN, serveInProcess } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { Halcyon } from "../client";
import { listeningFetch } from "./build-transfer";
import { type RunningProxy, serveProxy } from "./serve-proxy";

/* The contract's requests, with a plain key to the service and with a blind key to a proxy: the responses are the same. */

const CHAIN = 46630;
const FUNDS = 500_000_000n;
const POLICY = { perTransactionLimit: 100_000_000n, dailyLimit: 200_000_000n, hitlThreshold: 50_000_000n };

let services: WorkingServices;
let service: Awaited<ReturnType<typeof serveHttp>>;
let proxy: RunningProxy;
let payee: Owner;
let plain: Side;
let blind: Side;

/** Who asks, by which way. */
interface Side {
  url: string;
  key: string;
  agentKey: string;
  owner: Owner;
  agent: Agent;
}

interface Said {
  status: number;
  replayed: boolean;
  body: Record<string, unknown>;
}

async function serveHttp() {
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = "GET", url = "/", headers } = incoming;
    const body = Buffer.concat(parts);
    const init = { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) };
    const served = await serveInProcess(new Request(ORIGIN + url, init));
    response.writeHead(served.status, Object.fromEntries(served.headers));
    response.end(Buffer.from(await served.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function holders(): Promise<{ owner: Owner; agent: Agent }> {
  const owner = await Owner.funded(CHAIN, FUNDS);
  const { agent, operationId } = await Agent.create(owner, POLICY, "buyer");
  await settled(operationId);
  return { owner, agent };
}

beforeAll(async () => {
  services = await startWorkingServices();
  service = await serveHttp();
  payee = await Owner.create(CHAIN);
  await settled(await payee.enroll());
  const [one, other] = [await holders(), await holders()];
  const { url } = service;
  plain = { ...one, url, key: (await createApiKey(one.owner)).text, agentKey: (await createApiKey(one.agent)).text };
  const keys = [await createBlindKey(other.owner), await createBlindKey(other.agent)] as const;
  const settings = { url, rpcUrl: env().chains.test.rpcUrl, fetch: listeningFetch };
  proxy = await serveProxy(
    {
      ...{ service: url, homeKeys: keys.map(({ homeKey }) => homeKey), port: 0 },
      clientOf: (pair) => new Halcyon({ ...settings, ...pair, pins: new MemoryPins() }),
    },
    () => {},
  );
  blind = { ...other, url: proxy.url, key: keys[0].text, agentKey: keys[1].text };
});
afterAll(async () => {
  await proxy?.close();
  service?.close();
  await services?.stop();
});

interface Asked {
  method?: string;
  path: string;
  body?: unknown;
  /** Not JSON. */
  text?: string;
  idempotencyKey?: string;
  /** By the agent's key. */
  byAgent?: boolean;
}

function ask(side: Side, { method = "POST", path, body, text, idempotencyKey, byAgent }: Asked): Promise<Said> {
  const headers = {
    authorization: `Bearer ${byAgent ? side.agentKey : side.key}`,
    "content-type": "application/json",
    ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
  };
  return new Promise((resolve, reject) => {
    const request = send(side.url + path, { method, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const said = Buffer.concat(parts).toString();
      const replayed = response.headers["idempotent-replayed"] === "true";
      resolve({ status: response.statusCode ?? 0, replayed, body: said ? JSON.parse(said) : {} });
    });
    request.once("error", reject);
    request.end(text ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}

/** A response without what differs between any two requests: ids, times, hashes, and who asks. */
function alike({ owner }: Side, said: Said): unknown {
  const text = JSON.stringify(said)
    .replaceAll(owner.account.handle, "payer")
    .replaceAll(owner.account.id, "acct")
    .replaceAll(service.url, ORIGIN)
    .replace(/0x[0-9a-f]{8,}/gi, "0x")
    .replace(/"req_[0-9a-z]+"/gi, '"req_"')
    .replace(/\b([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}\b/g, "$1_")
    .replace(/"whsec_[^"]+"/g, '"whsec_"')
    .replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, "time");
  return JSON.parse(text);
}

/** Asks both. Returns what both said, once it is shown to be the same. */
async function same(
  asked: Asked | ((side: Side) => Asked),
  part: (said: Said) => unknown = (said) => said,
): Promise<[plain: Said, blind: Said]> {
  const of = (side: Side) => (typeof asked === "function" ? asked(side) : asked);
  const both = [await ask(plain, of(plain)), await ask(blind, of(blind))] as [Said, Said];
  const { method = "POST", path, body } = of(blind);
  const shown = [alike(plain, both[0]), alike(blind, both[1])].map((said) => part(said as Said));
  expect(shown[1], `${method} ${path} ${JSON.stringify(body)}`).toEqual(shown[0]);
  return both;
}

/** What a program goes by. A client that checks its input finds the first fault, in its own words. */
const codeOf = ({ status, body }: Said) => {
  const { code, param, reason } = (body.error ?? {}) as Record<"code" | "param" | "reason", string | undefined>;
  return [status, code, param, reason];
};

/** The proxy reads a paid request's transfer again, and shows it as it is now. */
const whatever = ({ status, replayed, body: { status: _, confirmed_at, ...body } }: Said) => [status, replayed, body];

/** Asks each for what is its own, such as what it has created before. */
const own =
  (ids: readonly [Said, Said], field: string, path: (id: string) => string, more: Omit<Asked, "path"> = {}) =>
  (side: Side): Asked => ({ ...more, path: path(String(ids[side === plain ? 0 : 1].body[field])) });

async function untilSettled(ids: readonly [Said, Said]): Promise<void> {
  for (const [n, side] of [plain, blind].entries()) {
    const path = `/v1/transfers/${ids[n]?.body.transfer_id}`;
    await expect.poll(async () => (await ask(side, { method: "GET", path })).body.status).toBe("confirmed");
  }
}

const to = () => `@${payee.account.handle}`;

test("payments, repeated, tried and listed", async () => {
  await same({ method: "GET", path: "/v1/accounts/me" });
  const body = { to: to(), amount: "25.00", asset: "USDG", memo: "Invoice 1042", reference: "order-1" };
  const idempotencyKey = "order-1";
  await same({ path: "/v1/transfers?dry_run=true", body });
  const paid = await same({ path: "/v1/transfers", body, idempotencyKey });
  expect(paid[0].status).toBe(201);
  await untilSettled(paid);
  await same({ path: "/v1/transfers", body, idempotencyKey }, whatever);
  await same({ path: "/v1/transfers", body: { ...body, amount: "26" }, idempotencyKey }, codeOf);
  await same(own(paid, "transfer_id", (id) => `/v1/transfers/${id}`, { method: "GET" }));
  const shown = await same({
    path: "/v1/transfers",
    body: { to: payee.address, amount: "0.25", confidential: false },
    idempotencyKey: "public-1",
  });
  await untilSettled(shown);
  const listed = await same({ method: "GET", path: "/v1/transfers?limit=2" });
  expect(listed[0].body.transfers).toHaveLength(2);
  await same({ method: "GET", path: "/v1/accounts/me/balances" });
});

test("requests that are refused, each with its error", async () => {
  const payment = { to: to(), amount: "1", asset: "USDG" };
  const bodies: unknown[] = [
    {},
    [],
    { to: to() },
    { amount: "1" },
    ...["0", "-1", "1.0000001", "1e3", "", " 1", "abc", "99999999999999999999"].map((amount) => ({
      ...payment,
      amount,
    })),
    { ...payment, amount: 1 },
    { ...payment, amount: "1000000" },
    ...["@nobody-at-all", "nobody", "0x12", "", 7].map((whom) => ({ ...payment, to: whom })),
    { ...payment, asset: "BTC" },
    { ...payment, memo: "x".repeat(513) },
    { ...payment, reference: "x".repeat(65) },
    { ...payment, confidential: "no" },
    { ...payment, invented: 1 },
  ];
  for (const [n, body] of bodies.entries()) {
    await same({ path: "/v1/transfers", body, idempotencyKey: `refused-${n}` }, codeOf);
    await same({ path: "/v1/transfers?dry_run=true", body }, codeOf);
  }
  for (const text of ["", "{", "null", "7"]) await same({ path: "/v1/transfers", text }, codeOf);
  await same({ method: "GET", path: "/v1/transfers/tr_01ARZ3NDEKTSV4RRFFQ69G5FAV" });
});

test("payouts, from their check to their rows", async () => {
  const rows = ["10.00", "5.50"].map((amount, n) => ({ to: to(), amount, reference: `wages-${n}` }));
  const unpayable = { rows: [...rows, { to: "@nobody-at-all", amount: "1" }, { to: to(), amount: "0" }] };
  await same({ path: "/v1/payouts?dry_run=true", body: unpayable });
  await same({ path: "/v1/payouts", body: unpayable, idempotencyKey: "payout-0" });
  await same({ path: "/v1/payouts?dry_run=true", body: { rows } });
  const created = await same({ path: "/v1/payouts", body: { rows }, idempotencyKey: "payout-1" });
  for (const [n, side] of [plain, blind].entries()) {
    const path = `/v1/payouts/${created[n]?.body.payout_id}`;
    await expect.poll(async () => (await ask(side, { method: "GET", path })).body.status).toBe("finished");
  }
  const at = (more: string) => (id: string) => `/v1/payouts/${id}${more}`;
  await same(own(created, "payout_id", at(""), { method: "GET" }));
  await same(own(created, "payout_id", at("/rows?limit=2"), { method: "GET" }));
  await same(own(created, "payout_id", at("/resume")));
  await same(own(created, "payout_id", at("/cancel")));
  await same({ method: "GET", path: "/v1/payouts?limit=2" });
});

test("an agent's payments: paid, refused by its policy, held, approved and rejected", async () => {
  for (const side of [plain, blind]) {
    const body = { to: `@${side.agent.account.handle}`, amount: "220" };
    const key = (await createApiKey(side.owner)).text;
    const funded = await ask({ ...plain, key }, { path: "/v1/transfers", body });
    expect(funded.status).toBe(201);
    const path = `/v1/transfers/${funded.body.transfer_id}`;
    await expect.poll(async () => (await ask(side, { method: "GET", path })).body.status).toBe("confirmed");
  }
  const pay = (amount: string, idempotencyKey: string, part?: typeof codeOf) =>
    same({ path: "/v1/transfers", body: { to: to(), amount, memo: "Paper" }, idempotencyKey, byAgent: true }, part);
  await untilSettled(await pay("20", "agent-1"));
  await pay("100.01", "agent-2", codeOf);
  for (const amount of ["20", "60", "100.01"]) {
    await same({ path: "/v1/transfers?dry_run=true", body: { to: to(), amount }, byAgent: true });
  }
  const [held, other] = [await pay("60", "agent-3"), await pay("70", "agent-4")];
  expect(held[0].status).toBe(202);
  await pay("60", "agent-3");
  await same({ method: "GET", path: "/v1/agents/transactions/pending" });
  const at = (more: string) => (id: string) => `/v1/agents/transactions/${id}${more}`;
  await same(own(held, "transaction_id", at("/approve"), { byAgent: true }));
  await same(own(held, "transaction_id", at("/approve")));
  await same(own(held, "transaction_id", at("/approve")));
  await same(own(other, "transaction_id", at("/reject")));
  await same(own(held, "transaction_id", at(""), { method: "GET" }));
});

test("what needs no balance: webhooks, events, logs, and ids that are unknown", async () => {
  const created = await same({
    path: "/v1/webhooks",
    // Nothing here makes this event: a payment of an earlier test may become final between the two.
    body: { url: "https://example.com", events: ["key.exposed"] },
  });
  const at = (more: string) => (id: string) => `/v1/webhooks/${id}${more}`;
  await same(own(created, "webhook_id", at("/deliveries?limit=2"), { method: "GET" }));
  await same(own(created, "webhook_id", at(""), { method: "PATCH", body: { events: ["transfer.failed"] } }));
  await same(own(created, "webhook_id", at(""), { method: "DELETE" }));
  for (const path of [
    "/v1/events?limit=2",
    "/v1/audit-log?actor=key&limit=1",
    "/v1/webhooks",
    "/v1/payment-requests",
    "/v1/schedules",
  ]) {
    const [one, two] = [await ask(plain, { method: "GET", path }), await ask(blind, { method: "GET", path })];
    expect([path, two.status, Object.keys(two.body)]).toEqual([path, one.status, Object.keys(one.body)]);
  }
  for (const path of ["/v1/payouts/po_x", "/v1/agents/transactions/txn_x", "/v1/schedules/sch_x"]) {
    await same({ method: "GET", path });
  }
});
