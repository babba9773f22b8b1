import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { relayUsage } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { pauseAgent } from "@/sdk/account/agents";
import { createKey } from "@/sdk/account/keys";
import { resumeAgent, setPolicy } from "@/sdk/account/set-policy";
import { HalcyonError } from "@/sdk/api/errors";
import type { Context } from "@/sdk/context/context";
import { renewPaymentKey } from "@/sdk/context/renew-payment-key";
import { approve } from "@/sdk/payments/approvals/approve";
import { OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { deposit } from "@/sdk/payments/funding/deposit";
import { makeAvailable } from "@/sdk/payments/funding/make-available";
import { send } from "@/sdk/payments/send";
import { withdraw } from "@/sdk/payments/withdraw";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { type ClientSettings, clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";

/*
 * How a client behaves with a service that follows the rules: it knows at once that a request was refused, and
 * continues where it was.
 */

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let agent: Agent;
let held: string;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.funded(CHAIN, 50_000_000n)]);
  const registered = await Agent.create(owner, { hitlThreshold: 0n });
  agent = registered.agent;
  await settled(registered.operationId);
  await settled(await owner.mint("500"));
  await send(await client(), { to: `@${agent.account.handle}`, amount: "20", clientSigned: true });
  const asked = { to: `@${payee.account.handle}`, amount: "2", asset: "USDG" as const, confidential: true };
  const created = await createTransfer(await agent.key(), asked);
  if (created.outcome !== "held") throw new Error("this payment was not held");
  held = created.held.id;
});
afterAll(() => services?.stop());

const client = (settings: ClientSettings = {}) => clientOf(owner.walletKey, env().chains.test.rpcUrl, settings);

/** Records the signed documents that are sent. */
function watching(): { meddle: Meddle; left: string[] } {
  const left: string[] = [];
  const meddle: Meddle = async (request, honest) => {
    const body: unknown = request.method === "POST" ? await request.clone().json() : null;
    if (JSON.stringify(body).match(/"signature"/)) left.push(new URL(request.url).pathname);
    return honest();
  };
  return { meddle, left };
}

describe("what an honest service refuses is known at once, and nothing has left", () => {
  const bot = () => `@${agent.account.handle}`;
  const toPayee = (context: Context, more: object = {}) =>
    send(context, { to: payee.address, amount: "1", clientSigned: true, ...more });
  const fromBot = (context: Context) => toPayee(context, { from: bot() });
  const policy = async (fields: Parameters<typeof setPolicy>[2]) => setPolicy(await client(), bot(), fields);
  const quota = (operations: number) =>
    db()
      .insert(relayUsage)
      .values({ chainId: CHAIN, account: owner.address, day: today(), operations, gas: 0n })
      .onConflictDoUpdate({ target: [relayUsage.chainId, relayUsage.account, relayUsage.day], set: { operations } });
  const today = () => new Date().toISOString().slice(0, 10);
  const usdg = () => assetBySymbol(CHAIN);

  const REFUSALS: [
    string,
    string,
    (context: Context) => Promise<unknown>,
    (() => Promise<unknown>)?,
    (() => Promise<unknown>)?,
  ][] = [
    [
      "a paused agent's payment",
      "policy_violation",
      fromBot,
      async () => pauseAgent(await client(), bot()),
      async () => resumeAgent(await client(), bot()),
    ],
    [
      "an asset outside the policy",
      "policy_violation",
      fromBot,
      () => policy({ assets: ["ETH"] }),
      () => policy({ assets: ["USDG", "ETH"] }),
    ],
    [
      "a recipient outside the policy",
      "policy_violation",
      fromBot,
      () => policy({ allowed_recipients: [`@${owner.account.handle}`] }),
    ],
    [
      "an approval outside the policy",
      "policy_violation",
      (context) => approve(context, held),
      undefined,
      () => policy({ allowed_recipients: ["*"] }),
    ],
    [
      "a public payment to an agent",
      "invalid_request",
      (context) => send(context, { to: agent.address, amount: "1", clientSigned: true, public: true }),
    ],
    [
      "a withdrawal to an asset's contract",
      "invalid_request",
      (context) => withdraw(context, { to: usdg().address, amount: "1" }),
    ],
    ["a payment over the day's quota", "rate_limited", toPayee, () => quota(env().relayDailyQuota)],
    [
      "a move to the available balance over it",
      "rate_limited",
      (context) => makeAvailable(context, { available: "10" }),
    ],
    [
      "a deposit over it",
      "rate_limited",
      async (context) => deposit(context, await context.asset(), 1n),
      undefined,
      () => quota(1),
    ],
    [
      "more than there is, under a key of one's own",
      "insufficient_balance",
      (context) => toPayee(context, { amount: "5000", idempotencyKey: "order-1" }),
    ],
  ];

  test.each(REFUSALS)("%s is refused with %s", async (_, code, act, before, after) => {
    await before?.();
    const { meddle, left } = watching();
    const error = await act(await client({ meddle })).catch((thrown: unknown) => thrown);
    await after?.();
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({ code });
    expect(left).toEqual([]);
  });

  test.each([["read"], ["approvals"]] as const)("a key of scope %s makes no payment of the wallet's", async (scope) => {
    const { api_key: apiKey } = await createKey(await client(), { label: scope, scopes: [scope] });
    const { meddle, left } = watching();
    const error = await toPayee(await client({ meddle, apiKey })).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HalcyonError);
    expect(error).toMatchObject({ code: "key_forbidden" });
    expect(left).toEqual([]);
  });

  test("what is allowed continues, by the session and by a key that may pay", async () => {
    const { api_key: apiKey } = await createKey(await client(), { label: "pay", scopes: ["pay"] });
    expect(await toPayee(await client({ apiKey }))).toMatchObject({ status: "confirmed" });
    expect(await fromBot(await client({ apiKey }))).toMatchObject({ status: "confirmed" });
    expect(await approve(await client(), held)).toMatchObject({ status: "approved" });
  });
});

test("a renewed payment key lasts longer, for the service too once the renewal returns", async () => {
  const context = await client();
  const before = Number((await context.account()).payment_key_until);
  const until = Date.parse((await renewPaymentKey(context)).payment_key_until) / 1_000;
  expect(until).toBeGreaterThan(before);
  expect((await context.account()).payment_key_until).toBe(String(until));
});

/** Sends the owner notes of 1 each, after everything else was made available. */
async function receive(notes: number): Promise<void> {
  await makeAvailable(await client());
  const key = await payee.key();
  const paid: string[] = [];
  for (let note = 0; note < notes; note++) {
    const input = { to: `@${owner.account.handle}`, amount: "1", asset: "USDG" as const, confidential: true };
    paid.push(paidTransfer(await createTransfer(key, input)).row.operationId);
  }
  await settled(...paid);
}

test("a move to the available balance of several rounds that broke off after the first continues until the amount is there, and no further", async () => {
  await receive(10);
  const { limit: before } = await owner.decryptAvailable();
  // The first round succeeds, and then the connection fails for good.
  const records: PendingPayment[] = [];
  let rounds = 0;
  const breaking: Meddle = async (request, honest) => {
    const isRound = request.method === "POST" && request.url.includes("/api/make-available");
    if (isRound) rounds += 1;
    if (rounds > 1) throw new TypeError("fetch failed");
    return honest();
  };
  const input = { amount: "9.5", idempotencyKey: "rounds" };
  const onPending = (pending: PendingPayment) => void records.push(pending);
  await expect(makeAvailable(await client({ meddle: breaking }), { ...input, onPending })).rejects.toThrow();
  expect((await owner.decryptAvailable()).limit - before).toBe(8_000_000n);

  // Another process with only the key, then one with the last record, then one with nothing left to do.
  const again = await makeAvailable(await client(), input);
  expect(again).toMatchObject({ notes: 10, tx_hashes: [expect.any(String), expect.any(String)] });
  expect((await owner.decryptAvailable()).limit - before).toBe(9_500_000n);
  const pending = records.at(-1);
  expect(pending?.id).toBe("rounds#round-2");
  for (const options of [input, { ...input, pending, onPending }]) {
    expect(await makeAvailable(await client(), options)).toEqual(again);
    expect((await owner.decryptAvailable()).limit - before).toBe(9_500_000n);
  }
});

test.each(["before it is signed", "once it has left"])(
  "a move to the available balance that breaks off in its second round, %s, never reads as nothing, and its key finishes it",
  async (when) => {
    const input = { amount: "9.5" };
    await receive(10);
    const { limit: before } = await owner.decryptAvailable();
    let isSecond = false;
    const meddle: Meddle = async (request, honest) => {
      const isRound = request.method === "POST" && request.url.includes("/api/make-available");
      if (isSecond && (isRound || when === "before it is signed")) throw new TypeError("fetch failed");
      const response = await honest();
      isSecond ||= isRound;
      return response;
    };
    const error = await makeAvailable(await client({ meddle }), input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect((await owner.decryptAvailable()).limit - before).toBe(8_000_000n);
    // The message names a key if the caller gave none. With it, or with the record's own key, the goal is reached and
    // not exceeded.
    const { pending, message } = error as OutcomeUnknown;
    const [, named = ""] = /idempotency key ([\w-]+)[, ]/.exec(message) ?? [];
    for (const idempotencyKey of [pending.id, named]) {
      await makeAvailable(await client(), { ...input, idempotencyKey });
      expect((await owner.decryptAvailable()).limit - before).toBe(9_500_000n);
    }
  },
);
