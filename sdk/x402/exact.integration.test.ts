import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { x402Facilitator } from "@x402/core/facilitator";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as FacilitatorScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ServerScheme } from "@x402/evm/exact/server";
import { decodePaymentResponseHeader } from "@x402/fetch";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { desc, eq } from "drizzle-orm";
import { Hono, type Context as HonoContext } from "hono";
import {
  type Address,
  createTestClient,
  createWalletClient,
  erc20Abi,
  getAddress,
  http,
  isAddressEqual,
  parseEther,
  parseUnits,
  publicActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { exactPayments } from "@/db/schema/exact-payments";
import { apiKeys } from "@/db/schema/keys";
import { transfers } from "@/db/schema/transfers";
import { env } from "@/lib/base/env";
import { deriveAuthority, deriveOneTimeKey } from "@/lib/ledger/crypto/keys";
import { returnUnclaimed } from "@/lib/payments/exact/return-unclaimed";
import { removeFolder } from "@/scripts/stack/files";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { withoutRandom } from "@/test/attacks/without-random";
import { clientOf, fetchAs, keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { passTime } from "@/test/services/pass-time";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { decryptFunds } from "../account/funds/funds";
import { partyOf } from "../account/party";
import { policyPath, type SessionPolicy } from "../account/session-policy";
import { setPolicy } from "../account/set-policy";
import type { Context } from "../context/context";
import { approve } from "../payments/approvals/approve";
import { approveByKey } from "../payments/approvals/approve-by-key";
import { send } from "../payments/send";
import { findUnclaimed, withdrawUnclaimed } from "../recovery/one-time-addresses";
import { recover } from "../recovery/recover";
import { KeysResource } from "../resources/keys-resource";
import { X402Resource } from "../resources/x402-resource";
import type { PaymentHeld } from "./payment-held";

/*
 * Existing sellers: the published server, facilitator and scheme `exact`, unmodified, over real HTTP, with real tokens,
 * payments and proofs.
 */

const CHAIN = 46630;
const NETWORK = "eip155:46630";
let services: WorkingServices;
let owner: Owner;
let agent: Agent;
let buyer: Context;
let facilitator: string;
const seller = privateKeyToAddress(generatePrivateKey());
const stranger = privateKeyToAddress(generatePrivateKey());
const folder = mkdtempSync(join(tmpdir(), "halcyon-exact-"));
const closers: (() => Promise<void>)[] = [];

const rpc = () => env().chains.test.rpcUrl;
const usdg = () => env().chains.test.usdg as Address;
const clientFor = (who: Owner, apiKey?: string) => clientOf(who.walletKey, rpc(), apiKey ? { apiKey } : {});
const testClient = () => createTestClient({ mode: "anvil", transport: http(rpc()) }).extend(publicActions);
const tokensOf = (who: Address) =>
  testClient().readContract({ address: usdg(), abi: erc20Abi, functionName: "balanceOf", args: [who] });

/** Simulates a new process, which knows earlier payments only from files. */
const processOf = (context = buyer) => new X402Resource(context, folder);
const kept = () => readdirSync(folder);

async function listen(app: Hono): Promise<string> {
  const server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts the published facilitator, which submits `transferWithAuthorization` from its own wallet. */
async function startFacilitator(): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey());
  await testClient().setBalance({ address: account.address, value: parseEther("1") });
  const wallet = createWalletClient({ account, transport: http(rpc()), pollingInterval: 50 }).extend(publicActions);
  const signer = { ...wallet, address: account.address } as unknown as Parameters<typeof toFacilitatorEvmSigner>[0];
  const stock = new x402Facilitator().register(NETWORK, new FacilitatorScheme(toFacilitatorEvmSigner(signer)));
  const app = new Hono();
  app.get("/supported", (c) => c.json(stock.getSupported() as object));
  app.post("/verify", async (c) => {
    const { paymentPayload, paymentRequirements } = await c.req.json();
    return c.json((await stock.verify(paymentPayload, paymentRequirements)) as object);
  });
  app.post("/settle", async (c) => {
    const { paymentPayload, paymentRequirements } = await c.req.json();
    return c.json((await stock.settle(paymentPayload, paymentRequirements)) as object);
  });
  return listen(app);
}

/** Returns a client with an API key of the account, or of its agent with that name. */
async function withKey(who: Owner, name?: string): Promise<Context> {
  const input = { label: "402", ...(name !== undefined && { agent: name }) };
  const { api_key: apiKey } = await new KeysResource(await clientFor(who)).create(input);
  return clientFor(who, apiKey);
}

interface Shop {
  url: string;
  served: number;
  /** Number of coming requests that fail before the shop serves again. */
  failures: number;
  presented: string[];
}

/** Starts an unmodified server with the published middleware that sells `/report` only by the scheme `exact`. */
async function open(amount = "50000", payTo: Address = seller): Promise<Shop> {
  const shop: Shop = { url: "", served: 0, failures: 0, presented: [] };
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator as `http://${string}` })).register(
    NETWORK,
    new ServerScheme(),
  );
  const price = { asset: usdg(), amount, extra: { name: "Global Dollar", version: "1" } };
  const accepts = { scheme: "exact", network: NETWORK, payTo, price, maxTimeoutSeconds: 60 } as const;
  const app = new Hono();
  app.use(async (c, next) => {
    const header = c.req.header("payment-signature");
    if (header) shop.presented.push(header);
    await next();
  });
  app.use(paymentMiddleware({ "GET /report": { accepts } }, server));
  app.get("*", (c) => {
    if (shop.failures-- > 0) return c.text("down", 500);
    shop.served++;
    return c.text("the report");
  });
  shop.url = `${await listen(app)}/report`;
  return shop;
}

/** Returns the amount the agent can pay with, in units. */
async function available(): Promise<bigint> {
  const context = await clientFor(owner);
  const party = await partyOf(context, `@${agent.account.handle}`);
  return (await decryptFunds(context, party, await context.asset())).available.limit;
}

/** Recovers from chain data alone. If an address is given, withdraws to it. */
async function recoverAs(who: Owner, to?: Address) {
  const context = await clientFor(who);
  const prover = () => context.prover();
  return recover(() => context.wallet, prover, { rpc: rpc(), ledger: who.scope.ledger, to });
}

async function recovering(who: Owner) {
  const context = await clientFor(who);
  const [chain, scope] = await Promise.all([context.chain(), context.scope()]);
  const authorities = [deriveAuthority(who.accountKey, scope, 1)];
  return { wallet: context.wallet, chain, scope, authorities };
}

async function everything() {
  const mine = eq(transfers.payerRootId, owner.account.id);
  const [paid, exact, held] = await Promise.all([
    db().$count(transfers, mine),
    db().$count(exactPayments),
    db().$count(heldPayments),
  ]);
  return { paid, exact, held, limit: await available(), seller: await tokensOf(seller) };
}

const rule = (context: Context, fields: Parameters<typeof setPolicy>[2]) =>
  setPolicy(context, `@${agent.account.handle}`, fields);

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.funded(CHAIN, 100_000_000n);
  facilitator = await startFacilitator();
  const registered = await Agent.create(owner, {
    hitlThreshold: 1_000_000n,
    allowedRecipients: [seller.toLowerCase()],
  });
  agent = registered.agent;
  await settled(registered.operationId);
  const wallet = await clientFor(owner);
  const name = `@${agent.account.handle}`;
  await send(wallet, { to: name, amount: "20", clientSigned: true });
  buyer = await withKey(owner, name);
});
afterAll(async () => {
  for (const close of closers) await close();
  await services?.stop();
  removeFolder(folder);
});

test("a policy that says nothing of public payments pays no such seller, and says so before anything is paid", async () => {
  const shop = await open();
  const before = await everything();
  expect(await processOf().price(shop.url)).toMatchObject({
    price: { amount: "0.05", asset: "USDG", pay_to: seller, public: true },
    policy: { outcome: "denied", reason: "public_payments_not_allowed", confidential: false },
  });
  const refused = processOf().pay(shop.url, { max: "1" });
  await expect(refused).rejects.toMatchObject({ code: "policy_violation", reason: "public_payments_not_allowed" });
  expect([await everything(), shop.presented, kept()]).toEqual([before, [], []]);
  // Only an agent, or an account with its own limits, can make such a payment.
  const account = processOf(await withKey(owner));
  await expect(account.pay(shop.url, { max: "1" })).rejects.toMatchObject({ code: "key_forbidden", param: "exact" });
  await expect(processOf(await clientFor(owner)).pay(shop.url, { max: "1" })).rejects.toThrow("needs an API key");
  expect(await everything()).toEqual(before);
});

describe("where the policy allows public payments", () => {
  beforeAll(() => clientFor(owner).then((wallet) => rule(wallet, { public_payments: true })));
  beforeEach(() => expect(kept()).toEqual([]));

  test("a stock seller is paid exactly its price, once, by an address of its own, and the response says it is public", async () => {
    const shop = await open();
    const before = await everything();
    const { response, payment } = await processOf().pay(shop.url, { max: "0.05" });
    expect([response.status, await response.text()]).toEqual([200, "the report"]);
    expect(payment).toMatchObject({ amount: "0.05", pay_to: seller, public: true });
    const { limit, seller: had, paid, exact } = before;
    expect(await everything()).toMatchObject({
      limit: limit - 50_000n,
      seller: had + 50_000n,
      paid: paid + 1,
      exact: exact + 1,
    });
    const { payer } = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
    const [row] = await db()
      .select()
      .from(transfers)
      .where(eq(transfers.txHash, payment?.tx_hash ?? "0x"));
    if (!row?.paymentId) throw new Error("no payment");
    expect([row.kind, row.to, row.recipientId]).toEqual(["release", seller.toLowerCase(), null]);
    // The address's key derives from the agent's authority and data on the chain, so the authority is enough to find it
    // again.
    const { address } = deriveOneTimeKey(agent.authority, agent.scope, row.paymentId);
    expect([address.toLowerCase(), payer?.toLowerCase()]).toEqual([row.recipientAddress, row.recipientAddress]);
    expect(await tokensOf(row.recipientAddress)).toBe(0n);
    // Presenting the same payment again gets nothing.
    const replay = await fetch(shop.url, { headers: { "payment-signature": shop.presented[0] ?? "" } });
    expect([replay.status, shop.served]).toEqual([402, 1]);
    // The next request makes a new payment, from another address.
    const next = await processOf().pay(shop.url, { max: "0.05" });
    const second = decodePaymentResponseHeader(next.response.headers.get("payment-response") ?? "");
    expect(second.payer).not.toBe(payer);
    expect(await available()).toBe(limit - 100_000n);
  });

  test("the same request gets the same authorization, without an amount or a key in it, and its rows have neither", async () => {
    const asset = await buyer.asset();
    const json = { to: seller, amount: "0.054321", asset: asset.symbol, confidential: false, exact: true };
    const headers = { ...buyer.bearer, "idempotency-key": "the-same" };
    const before = await available();
    const post = () => buyer.http.send("POST", "/v1/transfers", { json, headers });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    const { transfer_id: id, exact } = first.body as { transfer_id: string; exact: object };
    expect(exact).toMatchObject({ public: true, pay_to: seller.toLowerCase(), status: "open" });
    const include = { headers: buyer.bearer, query: { include: "exact" } };
    const read = await buyer.http.send("GET", `/v1/transfers/${id}`, include);
    expect(read.body).toMatchObject({ transfer_id: id, confidential: false, exact });
    // Not by chance in an address or a signature.
    const decimals = (value: unknown) => JSON.stringify(value).replace(/0x[0-9a-f]{40,}/gi, "");
    expect(decimals([first.body, read.body])).not.toMatch(/54321/);
    const [row] = await db().select().from(exactPayments).where(eq(exactPayments.transferId, id));
    const [transfer] = await db().select().from(transfers).where(eq(transfers.id, id));
    const { privateKey } = deriveOneTimeKey(agent.authority, agent.scope, transfer?.paymentId ?? "0x");
    expect(decimals([row, transfer])).not.toMatch(/54321/);
    expect(JSON.stringify([row, transfer])).not.toContain(privateKey.slice(2));
    await settled(transfer?.operationId ?? "");
    expect(await available()).toBe(before - 54_321n);
    const foreign = await withKey(await Owner.funded(CHAIN, 1_000_000n));
    const others = foreign.http.send("GET", `/v1/transfers/${id}`, { ...include, headers: foreign.bearer });
    await expect(others).rejects.toMatchObject({ code: "not_found" });
    // A public payment can't be requested as confidential.
    const silent = { ...json, confidential: true };
    const hidden = buyer.http.send("POST", "/v1/transfers", { json: silent, headers: buyer.bearer });
    await expect(hidden).rejects.toMatchObject({ code: "invalid_request", param: "confidential" });
  });

  test("a seller that the policy does not name gets nothing", async () => {
    const shop = await open("50000", stranger);
    const before = await everything();
    const refused = processOf().pay(shop.url, { max: "1" });
    await expect(refused).rejects.toMatchObject({ code: "policy_violation", reason: "recipient_not_allowed" });
    expect([await everything(), shop.presented]).toEqual([before, []]);
  });

  test("a seller that fails is presented the same payment again, by another process too", async () => {
    const shop = await open();
    shop.failures = 1;
    const before = await available();
    const failed = await processOf().pay(shop.url, { max: "0.05" });
    expect([failed.response.status, failed.payment?.public]).toEqual([500, true]);
    expect(Date.parse(failed.payment?.valid_before ?? "")).toBeGreaterThan(Date.now());
    // The files contain neither the price nor the key.
    for (const file of kept()) {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text).not.toMatch(/0\.05|hc_test/);
      expect(withoutRandom(text)).not.toContain("50000");
    }
    const again = await processOf().pay(shop.url, { max: "0.05" });
    expect([again.response.status, again.payment?.tx_hash]).toEqual([200, failed.payment?.tx_hash]);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test("a repeat that the key's allow-list refuses forgets nothing, and pays nothing twice", async () => {
    const shop = await open();
    const before = await available();
    const meddle: Meddle = async (request, honest) => {
      const response = await honest();
      if (request.method === "POST") throw new TypeError("no response");
      return response;
    };
    const losing = processOf(await clientOf(owner.walletKey, rpc(), { apiKey: buyer.apiKey, meddle }));
    await expect(losing.pay(shop.url, { max: "0.05" })).rejects.toMatchObject({ code: "outcome_unknown" });
    const only = (allowedIps: string[] | null) =>
      db().update(apiKeys).set({ allowedIps }).where(eq(apiKeys.agentId, agent.account.id));
    await only(["192.0.2.1"]);
    await expect(processOf().pay(shop.url, { max: "0.05" })).rejects.toMatchObject({ code: "key_forbidden" });
    await only(null);
    expect((await processOf().pay(shop.url, { max: "0.05" })).response.status).toBe(200);
    expect([await available(), kept()]).toEqual([before - 50_000n, []]);
  });

  test("a seller that asks for more each time and serves nothing is paid once; again pays again", async () => {
    const shop = await open();
    shop.failures = 1;
    const dearer = await open("50001");
    // The seller at one address changes its price.
    let asked = dearer;
    const passOn = (method: string) => async (c: HonoContext) => {
      const response = await fetch(asked.url, { method, headers: c.req.raw.headers });
      return new Response(response.body, { status: response.status, headers: response.headers });
    };
    const app = new Hono();
    app.get("*", passOn("GET"));
    const url = `${await listen(app)}/report`;
    const before = await available();
    const ask = (again = false) => processOf().pay(url, { max: "1", again });
    asked = shop;
    expect((await ask()).response.status).toBe(500);
    asked = dearer;
    await expect(ask()).rejects.toThrow("asks for something else");
    expect(await available()).toBe(before - 50_000n);
    expect((await ask(true)).response.status).toBe(200);
    expect(await available()).toBe(before - 100_001n);
    // Leaves no payment that its seller did not take.
    const taken = await fetch(shop.url, { headers: { "payment-signature": shop.presented[0] ?? "" } });
    expect(taken.status).toBe(200);
  });

  describe("above the threshold", () => {
    test.each(["wallet", "API key"])("it is held, and approved by the owner's %s is paid once", async (by) => {
      const shop = await open("1500000");
      const before = await everything();
      const ask = () => processOf().pay(shop.url, { max: "2" });
      const held = (await ask().catch((error: unknown) => error)) as PaymentHeld;
      const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, held.transactionId));
      if (!row) throw new Error("no held payment");
      expect([row.to, row.seller, row.kind]).toEqual([seller.toLowerCase(), seller.toLowerCase(), "release"]);
      expect(isAddressEqual(row.recipientAddress, seller)).toBe(false);
      // Nothing has been signed yet from which the amount could be guessed.
      expect(await everything()).toMatchObject({ paid: before.paid, exact: before.exact, limit: before.limit });
      const wallet = await clientFor(owner);
      const { api_key: apiKey } = await new KeysResource(wallet).create({ label: by });
      // A row naming another seller isn't the payment the agent asked for.
      const changed = { to: stranger.toLowerCase(), seller: stranger.toLowerCase() as Address };
      await db().update(heldPayments).set(changed).where(eq(heldPayments.id, row.id));
      const byKey = await keyClientOf({ text: apiKey }, rpc());
      const decide = () => (by === "wallet" ? approve(wallet, row.id) : approveByKey(byKey, row.id));
      await expect(decide()).rejects.toMatchObject({ code: "transaction_not_found" });
      const { to, seller: right } = row;
      await db().update(heldPayments).set({ to, seller: right }).where(eq(heldPayments.id, row.id));
      expect(await everything()).toMatchObject({ paid: before.paid, limit: before.limit });
      expect(await decide()).toMatchObject({ status: "approved", to });
      const { response, payment } = await ask();
      expect([response.status, payment?.public]).toEqual([200, true]);
      expect(await everything()).toMatchObject({
        limit: before.limit - 1_500_000n,
        seller: before.seller + 1_500_000n,
        paid: before.paid + 1,
      });
    });
  });

  test("what the owner's client signs for a seller is checked: its amount, its seller, its time and the way back", async () => {
    const shop = await open("1500000");
    const held = (await processOf()
      .pay(shop.url, { max: "2" })
      .catch((error: unknown) => error)) as PaymentHeld;
    const service = await fetchAs(owner.address);
    const refusals: unknown[] = [];
    const meddle: Meddle = async (request, honest) => {
      if (!new URL(request.url).pathname.endsWith("/approve")) return honest();
      const body = await request.clone().json();
      const { exact } = body;
      const day = exact.valid_before + 86_400;
      for (const changed of [
        undefined,
        { ...exact, signature: exact.return_signature },
        { ...exact, return_signature: exact.signature },
        { ...exact, valid_before: exact.valid_before + 1 },
        { ...exact, valid_before: day },
      ]) {
        const { method, headers, url } = request;
        const response = await service(
          new Request(url, { method, headers, body: JSON.stringify({ ...body, exact: changed }) }),
        );
        const { error } = await response.json();
        refusals.push([response.status, error.code]);
      }
      return honest();
    };
    const before = await everything();
    await approve(await clientOf(owner.walletKey, rpc(), { meddle }), held.transactionId);
    expect(refusals).toEqual(Array.from({ length: 5 }, () => [400, "invalid_request"]));
    expect(await everything()).toMatchObject({ paid: before.paid + 1, limit: before.limit - 1_500_000n });
    expect((await processOf().pay(shop.url, { max: "2" })).response.status).toBe(200);
  });

  test("a payment that waits is not approved once the policy allows no public payments any more", async () => {
    const shop = await open("1500000");
    const ask = () => processOf().pay(shop.url, { max: "2" });
    const { transactionId } = (await ask().catch((error: unknown) => error)) as PaymentHeld;
    const wallet = await clientFor(owner);
    await rule(wallet, { public_payments: false });
    const before = await everything();
    const denied = { code: "policy_violation", reason: "public_payments_not_allowed" };
    await expect(approve(wallet, transactionId)).rejects.toMatchObject(denied);
    const byKey = await keyClientOf({ text: (await withKey(owner)).apiKey }, rpc());
    await expect(approveByKey(byKey, transactionId)).rejects.toMatchObject(denied);
    expect(await everything()).toEqual(before);
    // The chain again refuses recipients that the policy doesn't name.
    const { in_force, ledger } = await (await wallet.session()).get<SessionPolicy>(
      policyPath(await partyOf(wallet, `@${agent.account.handle}`)),
    );
    expect([in_force, ledger?.resolved]).toEqual(["yes", [seller.toLowerCase()]]);
    await rule(wallet, { public_payments: true });
    await approve(wallet, transactionId);
    expect((await ask()).response.status).toBe(200);
  });

  // Must run last because it moves the chain's clock.
  test("a payment that the service has forgotten is found on chain, and its seller keeps its time", async () => {
    const shop = await open("60000");
    shop.failures = 1;
    expect((await processOf().pay(shop.url, { max: "0.06" })).response.status).toBe(500);
    const [newest] = await db().select().from(exactPayments).orderBy(desc(exactPayments.transferId)).limit(1);
    await db()
      .delete(exactPayments)
      .where(eq(exactPayments.transferId, newest?.transferId ?? ""));
    for (const file of kept()) rmSync(join(folder, file));
    const found = await recoverAs(owner);
    expect(found.unclaimed).toContainEqual(
      expect.objectContaining({ account: getAddress(agent.address), asset: "USDG", amount: "0.06" }),
    );
    const { wallet, chain, scope, authorities } = await recovering(owner);
    const addresses = [owner.address, agent.address];
    const [one] = await findUnclaimed(chain, scope, authorities, addresses, 0n);
    if (!one) throw new Error("nothing was found");
    await expect(withdrawUnclaimed({ chain, scope, wallet }, one, stranger)).rejects.toThrow("may take it until");
  });

  test("what a seller does not take in time goes back to the owner's wallet, once; what it took does not", async () => {
    const taken = await open();
    await processOf().pay(taken.url, { max: "0.05" });
    const shop = await open("70000");
    shop.failures = 1;
    expect((await processOf().pay(shop.url, { max: "0.07" })).response.status).toBe(500);
    const openOnes = await db().select().from(exactPayments).where(eq(exactPayments.status, "open"));
    const [before, limit] = [await tokensOf(owner.address), await available()];
    // The seller still has time by the chain's clock, so nothing goes back, however late the service's clock is.
    await returnUnclaimed(new Date(Date.now() + 4_000_000));
    expect(await db().$count(operations, eq(operations.kind, "return_unclaimed"))).toBe(0);
    await passTime(rpc(), 3_700);
    const later = new Date(Date.now() + 3_800_000);
    // It does nothing while another worker does it, or while the chain's clock is not read yet: workers repeat it.
    const unclaimed = async () => {
      await Promise.all([returnUnclaimed(later), returnUnclaimed(later)]);
      return [await tokensOf(owner.address), await db().$count(exactPayments, eq(exactPayments.status, "open"))];
    };
    await expect.poll(unclaimed, { interval: 500 }).toEqual([before + 70_000n + 54_321n, 0]);
    const ended = await db().select().from(exactPayments);
    const count = (status: string) => ended.filter((one) => one.status === status).length;
    expect([count("returned"), count("taken"), count("void")]).toEqual([2, openOnes.length - 2, 0]);
    expect(await db().$count(operations, eq(operations.kind, "return_unclaimed"))).toBe(2);
    const announced = await db().select().from(events).where(eq(events.type, "transfer.returned"));
    const back = ended.filter(({ status }) => status === "returned").map(({ transferId }) => transferId);
    expect(announced.map(({ payload }) => payload.transfer_id).sort()).toEqual(back.sort());
    expect(announced.map(({ payload }) => Object.keys(payload))).toEqual(
      Array(2).fill(["event", "event_id", "account", "transfer_id", "counterparty", "asset", "timestamp"]),
    );
    expect([await tokensOf(owner.address), await available()]).toEqual([before + 124_321n, limit]);
    // The seller tries to redeem the payment too late, and the buyer gets an error.
    const late = await fetch(shop.url, { headers: { "payment-signature": shop.presented[0] ?? "" } });
    expect(late.status).toBe(402);
    await expect(processOf().pay(shop.url, { max: "0.07" })).rejects.toThrow("ask once with `again`");
  });
});

test("without the service the wallet withdraws what a seller did not take, once the seller's time is over", async () => {
  await testClient().setBalance({ address: owner.address, value: parseEther("1") });
  await passTime(rpc(), 400);
  const to = privateKeyToAddress(generatePrivateKey());
  const late = await recoverAs(owner, to);
  expect(late.failed).toBeUndefined();
  expect(late.steps).toContainEqual(
    expect.objectContaining({ account: getAddress(agent.address), step: "return", asset: "USDG" }),
  );
  const { unclaimed = [], balances } = late;
  expect(unclaimed.map(({ amount }) => amount)).toEqual(["0.06"]);
  const [inLedger] = balances.map(({ amount }) => parseUnits(amount, 6));
  expect(await tokensOf(to)).toBe((inLedger ?? 0n) + 60_000n);
  expect((await recoverAs(owner)).unclaimed).toBeUndefined();
});
