import { afterAll, beforeAll, expect, test } from "vitest";
import { networkOf } from "@/lib/base/network";
import { createConnection } from "@/lib/http/connections/create-connection";
import { exchangeCode } from "@/lib/http/connections/exchange-code";
import { mcpResource } from "@/lib/http/connections/resource";
import { revokeToken } from "@/lib/http/connections/revoke-token";
import { deriveFlagKey, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { TOOLS } from "@/sdk/mcp/tools";
import { ask, consentTo, exchangeOf } from "@/test/accounts/connection";
import { Market } from "@/test/x402/market";
import { POST } from "./[network]/route";

let market: Market;
let call: ReturnType<typeof callsWith>;

beforeAll(async () => {
  market = await Market.start();
  call = callsWith((await connect()).token);
});
afterAll(() => market?.stop());

/** Connects an application to the agent that has 20 USDG and needs approval above 1. */
async function connect(scope = "read pay") {
  const { owner, agent } = market;
  const secrets = {
    secret: agent.secret,
    authority: agent.authority,
    flagKey: deriveFlagKey(agent.secret, agent.scope),
    heldPublicKey: deriveHeldKey(owner.secret, agent.scope).publicKey,
  };
  const asked = ask(owner, { scope });
  const { body, code } = await consentTo(owner, agent.account, asked, secrets);
  await createConnection(agent.session, body, new Date());
  const { access_token: token } = await exchangeCode(exchangeOf(asked, code));
  return { token, clientId: asked.client.id };
}

interface Result {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { text: string }[];
}

/** Returns a function that sends a request of the protocol with a token. */
const asksWith = (token: string) => async (method: string, params: object) => {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const network = networkOf(market.owner.chainId);
  const request = new Request(mcpResource(network), { method: "POST", headers, body });
  const response = await POST(request, { params: Promise.resolve({ network }) });
  expect(response.status).toBe(200);
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
};

/** Returns a function that calls a tool, and returns its result, or the error that it gave. */
function callsWith(token: string) {
  const asks = asksWith(token);
  return async (name: string, args: object = {}): Promise<Record<string, unknown>> => {
    const { isError, structuredContent, content }: Result = await asks("tools/call", { name, arguments: args });
    return isError ? JSON.parse(content[1]?.text ?? "").error : (structuredContent ?? {});
  };
}

const payee = () => `@${market.payee.account.handle}`;

test("a connection's tools pay, hold and list as its agent, and a repeat pays nothing twice", async () => {
  const before = await market.available();
  const payment = { to: payee(), amount: "0.5", memo: "tea", reference: "order-1", idempotency_key: "one" };
  const paid = await call("send_payment", payment);
  expect(paid).toMatchObject({ outcome: "confirmed", transfer: { to: payee(), reference: "order-1" } });
  expect(await call("send_payment", payment)).toEqual(paid);
  expect(await market.available()).toBe(before - 500_000n);
  const { transfers } = (await call("list_transfers", { limit: 1, status: "confirmed" })) as { transfers: object[] };
  expect(transfers).toEqual([paid.transfer]);

  const large = await call("send_payment", { to: payee(), amount: "2", idempotency_key: "two" });
  expect(large).toMatchObject({ outcome: "held", idempotency_key: "two" });
  const { transaction_id } = large.held_payment as { transaction_id: string };
  expect(await call("list_held_payments", { limit: 5 })).toMatchObject({ pending: [{ transaction_id }], limit: 5 });
  expect(await call("get_held_payment", { transaction_id })).toMatchObject({ status: "pending_approval" });
  expect(await market.available()).toBe(before - 500_000n);

  const asked = await call("dry_run", { to: payee(), amount: "2" });
  expect(asked).toMatchObject({ dry_run: true, outcome: "held" });
  expect(await call("get_policy")).toMatchObject({ hitl_threshold_usdg: 1, allowed_recipients: ["*"] });
});

test("a refusal is the service's, with its code, what is wrong and which request it was", async () => {
  const refused = { request_id: expect.stringMatching(/^req_/), remedy: expect.any(String) };
  expect(await call("send_payment", { to: "@nobody-here", amount: "1", idempotency_key: "three" })).toMatchObject({
    ...refused,
    code: "recipient_not_found",
    idempotency_key: "three",
  });
  expect(await call("dry_run", { to: payee(), amount: "0" })).toMatchObject({ ...refused, param: "amount" });
  expect(await call("get_held_payment", { transaction_id: "txn_none" })).toMatchObject({
    ...refused,
    code: "transaction_not_found",
  });
  expect(await call("get_balance")).toMatchObject({ ...refused, code: "kyc_required" });
  expect(await call("list_transfers", { offset: 10_000 })).toMatchObject({ transfers: [], has_more: false });
});

test("a URL is priced, then paid once, also by the agent's next connection", async () => {
  const shop = await market.open(market.payee);
  shop.failures = 1;
  const [url, before] = [`${shop.url}/report`, await market.available()];
  const priced = await call("pay_url", { url, max: "0.10" });
  expect(priced).toMatchObject({ outcome: "priced", price: { amount: "0.05" }, policy: { outcome: "allowed" } });
  expect(await call("pay_url", { url, max: "0.01", confirm: true })).toMatchObject({ code: "invalid_request" });
  expect(await market.available()).toBe(before);
  const failed = await call("pay_url", { url, max: "0.10", confirm: true });
  expect(failed).toMatchObject({ outcome: "paid", status: 500 });
  const next = callsWith((await connect()).token);
  const served = await next("pay_url", { url, max: "0.10", confirm: true });
  expect(served).toMatchObject({ outcome: "paid", status: 200, body: "the report", tx_hash: failed.tx_hash });
  expect(await market.available()).toBe(before - 50_000n);
  expect(await call("pay_url", { url: "http://10.0.0.1/", max: "1" })).toMatchObject({ param: "url" });
});

test("another connection's idempotency key may have paid, so it pays nothing", async () => {
  const other = callsWith((await connect()).token);
  const before = await market.available();
  const payment = { to: payee(), amount: "0.25", idempotency_key: "shared" };
  expect(await call("send_payment", payment)).toMatchObject({ outcome: "confirmed" });
  expect(await other("send_payment", payment)).toMatchObject({ code: "outcome_unknown" });
  expect(await market.available()).toBe(before - 250_000n);
});

test("a connection that ends while a seller responds pays nothing", async () => {
  const { token, clientId } = await connect();
  const shop = await market.open(market.payee, { watch: () => void revokeToken(token, clientId) });
  const before = await market.available();
  const url = `${shop.url}/report`;
  const result = await callsWith(token)("pay_url", { url, max: "0.10", confirm: true });
  expect(result).toMatchObject({ code: "unauthorized" });
  expect([await market.available(), shop.served]).toEqual([before, 0]);
});

test("a connection that may only read has the tools that read, and they work", async () => {
  const { token } = await connect("read");
  const { tools } = await asksWith(token)("tools/list", {});
  const names = tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(TOOLS.filter(({ needsPay }) => !needsPay).map(({ name }) => name));
  const read = callsWith(token);
  expect(await read("get_policy")).toMatchObject({ hitl_threshold_usdg: 1 });
  expect(await read("list_transfers")).toMatchObject({ offset: 0 });
});
