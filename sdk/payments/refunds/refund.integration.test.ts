import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { Agent } from "@/test/accounts/agent";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { agentRefunds } from "../../account/agent-refunds";
import { decryptFunds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import type { Transfer } from "../../api/resources/transfers";
import { makeAvailable } from "../funding/make-available";
import { send } from "../send";
import { makeRefundsAvailable } from "./make-refunds-available";
import { refund } from "./refund";
import { checkRefund, refundable } from "./refundable";

const CHAIN = 46630;
let services: WorkingServices;
let shop: Owner;
let buyer: Owner;
let paid: string;

beforeAll(async () => {
  services = await startWorkingServices();
  [shop, buyer] = [await Owner.funded(CHAIN, 100_000_000n), await Owner.funded(CHAIN, 100_000_000n)];
  const sent = await send(await client(buyer), { to: shop.address, amount: "20", clientSigned: true });
  paid = ("transfer_id" in sent && sent.transfer_id) || "";
});
afterAll(() => services?.stop());

const client = (owner: Owner, meddle?: Meddle, apiKey?: string) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle, apiKey });

/** Loses the response to each refund after the service has accepted it. */
const losing: Meddle = async (request, honest) => {
  const response = await honest();
  const isRefund = request.method === "POST" && new URL(request.url).pathname.endsWith("/transfers");
  return isRefund && response.ok ? Promise.reject(new TypeError("fetch failed")) : response;
};

test("a service that names a third account gets no refund to relay", async () => {
  const thief = { address: `0x${"77".repeat(20)}`, handle: "@thief" };
  let relayed = 0;
  const redirecting: Meddle = async (request, honest) => {
    if (request.method === "POST" && new URL(request.url).pathname === "/v1/transfers") relayed += 1;
    const response = await honest();
    if (new URL(request.url).pathname !== `/v1/transfers/${paid}`) return response;
    const body = (await response.json()) as Transfer;
    return Response.json({ ...body, history: { ...body.history, refund_to: thief } });
  };
  const refused = refund(await client(shop, redirecting), paid, { amount: "1" });
  await expect(refused).rejects.toMatchObject({ code: "unavailable" });
  const lying: Meddle = async (request, honest) => {
    if (request.method === "POST" && new URL(request.url).pathname === "/v1/transfers") relayed += 1;
    const response = await honest();
    if (new URL(request.url).pathname !== `/v1/transfers/${paid}`) return response;
    const { encrypted, history, ...body } = (await response.json()) as Transfer;
    const payer = { ...encrypted, account: thief.address };
    return Response.json({ ...body, encrypted: payer, history: { ...history, refund_to: thief } });
  };
  await expect(refund(await client(shop, lying), paid, { amount: "1" })).rejects.toMatchObject({ code: "unavailable" });
  expect(relayed).toBe(0);
});

test("a payment that is not final yet is refunded later: wallet and home key say when, as the service does", async () => {
  const early: Meddle = async (request, honest) => {
    const response = await honest();
    if (new URL(request.url).pathname !== `/v1/transfers/${paid}`) return response;
    const { history, ...body } = (await response.json()) as Transfer;
    return Response.json({ ...body, status: "pending", ...(history && { history: { ...history, refund_to: null } }) });
  };
  const byHomeKey = await keyClientOf(await createBlindKey(shop), env().chains.test.rpcUrl, { meddle: early });
  for (const context of [await client(shop, early), byHomeKey]) {
    await expect(refund(context, paid, { amount: "1" })).rejects.toMatchObject({
      code: "refund_not_possible",
      param: "refund_of",
      retryAfter: 2,
      message: expect.stringContaining("not final yet"),
    });
  }
});

test("a refund repeated under its key after a lost response is the first one, others since or not", async () => {
  const sent = await send(await client(buyer), { to: shop.address, amount: "10", clientSigned: true });
  const of = ("transfer_id" in sent && sent.transfer_id) || "";
  const { text } = await createApiKey(shop);
  const [honest, signedHere] = [await client(shop, undefined, text), await client(shop)];
  for (const { input, cut, whole } of [
    { input: { idempotencyKey: "by-service", amount: "2" }, cut: await client(shop, losing, text), whole: honest },
    { input: { idempotencyKey: "rest", clientSigned: true }, cut: await client(shop, losing), whole: signedHere },
  ]) {
    // The first call may find the payment on the chain or report an unknown outcome. Either way it is paid once.
    const first = await refund(cut, of, { ...input, wait: false }).catch(() => null);
    if (input.idempotencyKey === "by-service") await refund(honest, of, { amount: "1", clientSigned: true });
    const again = await refund(whole, of, input);
    expect(again).toMatchObject({ status: "confirmed", refund_of: of, checked: true });
    if (first && "tx_hash" in first) expect(again).toMatchObject({ tx_hash: first.tx_hash });
    expect(await refund(whole, of, input)).toMatchObject({ refund_of: of, checked: true });
  }
  expect(await refundable(honest, of)).toMatchObject({ refunded: "10", left: "0", refunds_counted: 3 });
  const other = refund(honest, of, { idempotencyKey: "by-service", amount: "3" });
  await expect(other).rejects.toMatchObject({ code: "idempotency_mismatch" });
  await expect(refund(honest, of, {})).rejects.toMatchObject({ code: "refund_not_possible" });
});

test("refunds come to what was received at most, and the payer checks what they give back, over no lie", async () => {
  const context = await client(shop);
  expect(await refundable(context, paid)).toMatchObject({
    received: "20",
    refunded: "0",
    left: "20",
    refunds_counted: 0,
  });
  const part = await refund(context, paid, { amount: "5", reference: "broken" });
  expect(part).toMatchObject({ status: "confirmed", refund_of: paid, checked: true });
  await expect(refund(context, paid, { amount: "15.000001" })).rejects.toMatchObject({ code: "refund_not_possible" });
  await refund(context, paid, {});
  expect(await refundable(context, paid)).toMatchObject({ refunded: "20", left: "0", refunds_counted: 2 });
  await expect(refund(context, paid, {})).rejects.toMatchObject({ code: "refund_not_possible" });
  const id = ("transfer_id" in part && part.transfer_id) || "";
  expect(await checkRefund(await client(buyer), id)).toEqual({ refund_of: paid, valid: true });
  const other = await send(await client(buyer), { to: shop.address, amount: "1", clientSigned: true });
  const another = ("transfer_id" in other && other.transfer_id) || "";
  const thief = `0x${"77".repeat(20)}`;
  type Lie = [of: string, change: (body: Transfer) => object];
  const encrypted =
    (change: object): Lie[1] =>
    ({ encrypted }) => ({ encrypted: { ...encrypted, ...change } });
  const lies: Lie[] = [
    [id, encrypted({ recipient: thief })],
    [id, encrypted({ account: thief })],
    [id, encrypted({ recipient_ciphertext: "0x00" })],
    [id, () => ({ refund_of: another })],
    [paid, encrypted({ account: thief })],
    [paid, encrypted({ recipient: thief })],
    [paid, () => ({ direction: "received" })],
    [id, () => ({ asset: "ETH" })],
    [paid, encrypted({ note: `0x${"01".repeat(32)}` })],
  ];
  for (const [of, change] of lies) {
    const lying: Meddle = async (request, honest) => {
      const response = await honest();
      if (new URL(request.url).pathname !== `/v1/transfers/${of}`) return response;
      const body = (await response.json()) as Transfer;
      return Response.json({ ...body, ...change(body) });
    };
    const checked = checkRefund(await client(buyer, lying), id);
    await expect(checked, String(change)).rejects.toMatchObject({ code: "unavailable" });
  }
});

test("a payment that its payer signed as no refund is none, whatever the service calls it", async () => {
  const sent = await send(await client(shop), { to: buyer.address, amount: "1", clientSigned: true });
  const id = ("transfer_id" in sent && sent.transfer_id) || "";
  const calling: Meddle = async (request, honest) => {
    const response = await honest();
    if (new URL(request.url).pathname !== `/v1/transfers/${id}`) return response;
    return Response.json({ ...((await response.json()) as Transfer), refund_of: paid });
  };
  expect(await checkRefund(await client(buyer, calling), id)).toEqual({ refund_of: paid, valid: false });
});

test("a service that hides earlier refunds, before or while they are made, gets no one to give back more than was received", async () => {
  const pays = await send(await client(buyer), { to: shop.address, amount: "10", clientSigned: true });
  const of = ("transfer_id" in pays && pays.transfer_id) || "";
  const hiding: Meddle = async (request, honest) => {
    const url = new URL(request.url);
    const isList = url.pathname === "/v1/transfers" && request.method === "GET" && url.searchParams.has("refund_of");
    return isList ? Response.json({ transfers: [], has_more: false }) : honest();
  };
  const { text } = await createApiKey(shop);
  await refund(await client(shop), of, { amount: "6", clientSigned: true });
  expect(await refundable(await client(shop, hiding), of)).toMatchObject({ refunded: "6", left: "4" });
  const signed = [await client(shop, hiding), await client(shop, hiding, text)];
  for (const context of signed) {
    await expect(refund(context, of, { amount: "5" })).rejects.toMatchObject({ code: "refund_not_possible" });
  }
  // Another refund is made after this one was counted, and the service shows a state that follows it.
  let raced = false;
  const racing: Meddle = async (request, honest) => {
    if (new URL(request.url).pathname === "/api/ledger" && !raced) {
      raced = true;
      await refund(await client(shop), of, { amount: "3" });
    }
    return hiding(request, honest);
  };
  const late = refund(await client(shop, racing), of, { amount: "4", clientSigned: true });
  await expect(late).rejects.toMatchObject({ code: "refund_not_possible" });
  expect(await refundable(await client(shop), of)).toMatchObject({ received: "10", refunded: "9", left: "1" });
});

test("what comes back to an agent is made available to it, once, unless its owner takes refunds; other receipts stay", async () => {
  const context = await client(buyer);
  const created = await Agent.create(buyer);
  await settled(created.operationId);
  const { handle } = created.agent.account;
  await send(context, { to: `@${handle}`, amount: "20", clientSigned: true });
  const paying = async () => {
    const sent = await send(context, { from: `@${handle}`, to: shop.address, amount: "4", clientSigned: true });
    return ("transfer_id" in sent && sent.transfer_id) || "";
  };
  const [shopping, first] = [await client(shop), await paying()];
  await makeAvailable(shopping, {});
  await send(shopping, { to: `@${handle}`, amount: "1", clientSigned: true });
  await refund(shopping, first, { amount: "1.5" });
  await refund(shopping, first, { amount: "0.5" });
  expect(await makeRefundsAvailable(context)).toMatchObject([{ agent: `@${handle}`, refunds: 2, amount: "2" }]);
  expect(await makeRefundsAvailable(context)).toEqual([]);
  const { available, notes } = await decryptFunds(context, await partyOf(context, handle), await context.asset("USDG"));
  expect([available.limit, notes.map(({ amount }) => amount)]).toEqual([18_000_000n, [1_000_000n]]);
  await refund(shopping, await paying(), { amount: "1" });
  const lying: Meddle = async (request, honest) => {
    const response = await honest();
    if (new URL(request.url).pathname !== "/v1/accounts/me/agents") return response;
    const { agents, ...list } = (await response.json()) as { agents: object[] };
    return Response.json({ ...list, agents: [...agents, { ...agents[0], account_id: "acc_0", handle: `${handle}0` }] });
  };
  const partly = { mayHaveHappened: true, message: expect.stringMatching(/^Some refunds were made available/) };
  await expect(makeRefundsAvailable(await client(buyer, lying))).rejects.toMatchObject(partly);
  expect(await makeRefundsAvailable(context)).toEqual([]);
  await refund(shopping, await paying(), { amount: "1" });
  const hiding: Meddle = async (request, honest) => {
    const response = await honest();
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/v1/transfers") return Response.json({ transfers: [], has_more: false });
    if (pathname !== "/api/ledger" || !searchParams.has("agent")) return response;
    return Response.json({ ...((await response.json()) as object), notes: [] });
  };
  await expect(makeRefundsAvailable(await client(buyer, hiding))).rejects.toThrow("does not list a refund");
  expect(await makeRefundsAvailable(context)).toMatchObject([{ agent: `@${handle}`, refunds: 1, amount: "1" }]);
  await refund(shopping, await paying(), { amount: "1" });
  await agentRefunds(context, handle, "owner");
  expect(await makeRefundsAvailable(context)).toEqual([]);
});
