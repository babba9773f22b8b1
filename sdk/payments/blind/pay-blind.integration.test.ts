import { EventEmitter, once } from "node:events";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/keys";
import { availableStates } from "@/db/schema/ledger";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { env } from "@/lib/base/env";
import { formatAmount } from "@/lib/base/money";
import { InsufficientAvailableBalance } from "@/lib/ledger/crypto/errors";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { storedAsText } from "@/test/services/everything-stored";
import { clientOf, keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { decryptFunds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import { Call } from "../../api/call";
import type { HalcyonError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { type SendCall, send as sendPlain } from "../send";
import { sendBlind } from "./pay-blind";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let keys: Awaited<ReturnType<typeof createBlindKey>>;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 987_654_321n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
  keys = await createBlindKey(owner);
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;
const client = (meddle?: Meddle, pair: { text: string; homeKey?: string } = keys) =>
  keyClientOf(pair, rpcUrl(), { meddle, call: new Call({ maxRetries: 0 }) });
const send = (context: Context, input: SendCall) =>
  context.homeKey && !input.clientSigned ? sendBlind(context, input) : sendPlain(context, input);
const to = () => `@${payee.account.handle}`;
const available = async () => (await owner.decryptAvailable()).limit;
/** A service that has lost every response it stored. */
const forget = () => db().delete(idempotencyKeys);

/** Returns a client for which it is so many days later by its node's blocks, until a payment has left. */
async function clientOnDay(days: bigint): Promise<Context> {
  let hasLeft = false;
  const context = await client((request, honest) => {
    hasLeft ||= request.url.endsWith("/v1/transfers");
    return honest();
  });
  const chain = await context.chain();
  const { getBlock } = chain.client;
  chain.client.getBlock = (async (...of: Parameters<typeof getBlock>) => {
    const block = await getBlock(...of);
    return hasLeft ? block : { ...block, timestamp: block.timestamp + days * 86_400n };
  }) as typeof getBlock;
  chain.deadline = async () => BigInt(Math.floor(Date.now() / 1_000) + 300);
  return context;
}

/** Returns a service that keeps what it was sent and what it responded. */
function recorded(): { meddle: Meddle; texts: string[] } {
  const texts: string[] = [];
  const meddle: Meddle = async (request, honest) => {
    texts.push(request.url, JSON.stringify([...request.headers]), await request.clone().text());
    const response = await honest();
    texts.push(await response.clone().text());
    return response;
  };
  return { meddle, texts };
}

/** What the service lists of the account's payments. */
const honestList = async ({ bearer }: Context) => {
  const { serveInProcess, ORIGIN } = await import("@/test/services/in-process-service");
  return serveInProcess(new Request(`${ORIGIN}/v1/transfers?direction=sent`, { headers: bearer }));
};

/** How an amount could be written: in units, as a decimal, and in the bytes of a ciphertext's plaintext. */
const writings = (units: bigint) => [
  String(units),
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`,
  units.toString(16).padStart(16, "0"),
];

test("a blind key pays, and neither what the service gets and stores nor its responses have amount, balance or home key", async () => {
  const { meddle, texts } = recorded();
  // What was deposited is public.
  await send(await client(), { to: to(), amount: "1.234567" });
  const before = await available();
  const paid = await send(await client(meddle), { to: to(), amount: "31.415927", memo: "canary" });
  expect(paid).toMatchObject({ status: "confirmed", to: to(), from: `@${owner.account.handle}` });
  expect(await available()).toBe(before - 31_415_927n);
  const seen = [...texts, await storedAsText()].join("\n");
  const secrets = [31_415_927n, before, before - 31_415_927n].flatMap(writings);
  for (const secret of [...secrets, keys.homeKey, Buffer.from(owner.secret).toString("hex"), "canary"]) {
    expect(seen, secret).not.toContain(secret);
  }
});

test("a client that has paid builds the next payment without a plan, and after another client's asks for one", async () => {
  const asked: string[] = [];
  const context = await client((request, honest) => {
    if (request.method === "POST") asked.push(new URL(request.url).pathname);
    return honest();
  });
  const before = await available();
  const [plan, paid] = ["/v1/transfers/plan", "/v1/transfers"];
  await send(context, { to: to(), amount: "1" });
  await send(context, { to: to(), amount: "1" });
  await send(context, { to: payee.address, amount: "1" });
  expect(asked.splice(0)).toEqual([plan, paid, paid, paid]);
  await send(await client(), { to: to(), amount: "1" });
  await send(context, { to: to(), amount: "1" });
  expect(asked.splice(0)).toEqual([paid, plan, paid]);
  expect(await available()).toBe(before - 5_000_000n);
  // A guess that is wrong costs a proof, so there is none for a while.
  await send(context, { to: to(), amount: "1" });
  expect(asked).toEqual([plan, paid]);
});

test("what a payment reads of the chain does not wait for whether it was paid before, nor that for the rest", async () => {
  const context = await client();
  const before = await available();
  await send(context, { to: to(), amount: "1" });
  const chain = await context.chain();
  const [{ getBlock }, status] = [chain.client, chain.noteStatus.bind(chain)];
  const asked = new EventEmitter();
  const [blockAsked, statusAsked] = [once(asked, "block"), once(asked, "status")];
  chain.client.getBlock = (async (...of: Parameters<typeof getBlock>) => {
    asked.emit("block");
    await statusAsked;
    return getBlock(...of);
  }) as typeof getBlock;
  chain.noteStatus = async (...of) => {
    asked.emit("status");
    await blockAsked;
    return status(...of);
  };
  await send(context, { to: to(), amount: "1", wait: false });
  expect(await available()).toBe(before - 2_000_000n);
});

test("a refusal that follows a payment's document is no proof that nothing is paid: it says until when it could be signed", async () => {
  let isLying = true;
  const refusal = { error: { code: "recipient_blocked", message: "No.", request_id: "req_none" } };
  const context = await client(async (request, honest) => {
    return isLying && request.url.endsWith("/v1/transfers") ? Response.json(refusal, { status: 422 }) : honest();
  });
  const [before, input] = [await available(), { to: to(), amount: "2", idempotencyKey: crypto.randomUUID() }];
  const refused: unknown = await send(context, input).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "recipient_blocked" });
  const { mayHappenUntil = "", message } = refused as HalcyonError;
  expect(message).toContain(mayHappenUntil);
  expect(Date.parse(mayHappenUntil)).toBeGreaterThan(Date.now());
  isLying = false;
  await send(context, input);
  await send(context, input);
  expect(await available()).toBe(before - 2_000_000n);
});

test("what a payment of which nothing came would have left is not paid from twice", async () => {
  let isLying = true;
  const context = await client(async (request, honest) => {
    if (!isLying || !request.url.endsWith("/v1/transfers")) return honest();
    const shown = await (await honestList(context)).json();
    return Response.json(shown.transfers[0], { status: 201 });
  });
  const before = await available();
  await send(context, { to: to(), amount: "2", wait: false });
  isLying = false;
  await send(context, { to: to(), amount: "3" });
  expect(await available()).toBe(before - 3_000_000n);
});

test("a public payment is built and signed the same way", async () => {
  const before = await available();
  const shown = await send(await client(), { to: payee.address, amount: "0.25", public: true });
  expect(shown).toMatchObject({ status: "confirmed", confidential: false });
  expect(await available()).toBe(before - 250_000n);
});

test("a request whose response is lost pays once, however often and wherever it is repeated", async () => {
  const input = { to: to(), amount: "3", idempotencyKey: crypto.randomUUID() };
  const before = await available();
  const losing: Meddle = async (request, honest) => {
    const response = await honest();
    return request.url.endsWith("/v1/transfers") ? new Response("", { status: 502 }) : response;
  };
  await send(await client(losing), input).catch((error: unknown) => error);
  await send(await client(), input);
  const another = send(await client(), { ...input, amount: "4" });
  await expect(another).rejects.toMatchObject({ code: "idempotency_mismatch" });
  await forget();
  await send(await client(), input);
  expect(await available()).toBe(before - 3_000_000n);
});

test("two processes with one key and one request pay once, and two requests at once pay both", async () => {
  const before = await available();
  const idempotencyKey = crypto.randomUUID();
  const one = { to: to(), amount: "1", idempotencyKey };
  const both = await Promise.allSettled([send(await client(), one), send(await client(), one)]);
  expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
  await send(await client(), one);
  expect(await available()).toBe(before - 1_000_000n);
  await Promise.all([1, 2].map(async () => send(await client(), { to: to(), amount: "1" })));
  expect(await available()).toBe(before - 3_000_000n);
});

test("a request that was paid is known after the wallet and a plain key have changed the balance", async () => {
  const input = { to: to(), amount: "5", idempotencyKey: crypto.randomUUID() };
  await send(await client(), input);
  const plain = await createApiKey(owner);
  await send(await client(undefined, { text: plain.text }), { to: to(), amount: "1" });
  await send(await clientOf(owner.walletKey, rpcUrl()), { to: to(), amount: "1", clientSigned: true });
  const before = await available();
  await forget();
  await send(await client(), input);
  expect(await available()).toBe(before);
});

test("an older state, and one of a day that the node has not reached, pay nothing", async () => {
  let old: string | undefined;
  const stale: Meddle = async (request, honest) => {
    const response = await honest();
    if (!request.url.endsWith("/plan")) return response;
    old ??= await response.clone().text();
    return new Response(old, { headers: { "content-type": "application/json" } });
  };
  await send(await client(stale), { to: to(), amount: "1" });
  const before = await available();
  await expect(send(await client(stale), { to: to(), amount: "1" })).rejects.toMatchObject({
    code: "available_balance_changed",
  });
  expect(await available()).toBe(before);
  const sent = send(await clientOnDay(-1n), { to: to(), amount: "1" });
  const refused = toHalcyonError(await sent.catch((error: unknown) => error));
  expect(refused.message).toContain("your node has not reached");
  expect(await available()).toBe(before);
});

test("the bearer alone, another home key, and a revoked key pay nothing", async () => {
  const other = await createBlindKey(owner);
  const before = await available();
  const refused = async (pair: { text: string; homeKey?: string }) =>
    send(await client(undefined, pair), { to: to(), amount: "1" }).catch((error: unknown) => error);
  expect(await refused({ text: keys.text })).toMatchObject({ code: "key_forbidden", status: 403 });
  expect(await refused({ text: keys.text, homeKey: other.homeKey })).toMatchObject({ code: "key_forbidden" });
  await revokeKey(owner.session, other.id);
  expect(await refused(other)).toMatchObject({ code: "unauthorized" });
  expect(await available()).toBe(before);
});

test("a payment that the home key has not signed for this request is not signed", async () => {
  const before = await available();
  const changing: Meddle = async (request, honest) => {
    if (!request.url.endsWith("/v1/transfers")) return honest();
    const headers = new Headers(request.headers);
    headers.set("idempotency-key", crypto.randomUUID());
    const body = await request.text();
    const { serveInProcess } = await import("@/test/services/in-process-service");
    return serveInProcess(new Request(request.url, { method: "POST", headers, body }));
  };
  const sent = send(await client(changing), { to: to(), amount: "1" });
  await expect(sent).rejects.toMatchObject({ code: "key_forbidden", message: expect.stringMatching("home key") });
  expect(await available()).toBe(before);
});

test("more than there is, and a home key of the other network, are refused on this machine", async () => {
  const { meddle, texts } = recorded();
  const refused = async (amount: string, pair = keys) =>
    toHalcyonError(await send(await client(meddle, pair), { to: to(), amount }).catch((error: unknown) => error));
  expect(await refused("100000")).toMatchObject({ code: "insufficient_balance" });
  const elsewhere = { ...keys, homeKey: generateHomeKey(4663) };
  expect(await refused("1", elsewhere)).toMatchObject({ code: "invalid_request", param: "homeKey" });
  expect(texts.filter((text) => text.endsWith("/v1/transfers"))).toEqual([]);
});

test("a request that is repeated before its payment is in a block, of more than is left, is not called unpaid", async () => {
  const amount = formatAmount(((await available()) * 6n) / 10n, 6);
  const input = { to: to(), amount, idempotencyKey: crypto.randomUUID() };
  await send(await client(), input);
  const behind = await client();
  const chain = await behind.chain();
  chain.noteStatus = async () => 0;
  await expect(send(behind, input)).rejects.toMatchObject({ code: "outcome_unknown" });
  const another = { ...input, idempotencyKey: crypto.randomUUID() };
  await expect(send(behind, another)).rejects.toThrow(InsufficientAvailableBalance);
});

test("after a restored backup and its owner's sync, a request that was paid is known, also after midnight", async () => {
  const input = { to: to(), amount: "2", idempotencyKey: crypto.randomUUID() };
  const released = { to: payee.address, amount: "0.5", public: true, idempotencyKey: crypto.randomUUID() };
  await send(await client(), input);
  await send(await client(), released);
  const before = await available();
  // The backup has neither responses nor states of the balance.
  await Promise.all([forget(), db().delete(availableStates).where(eq(availableStates.account, owner.address))]);
  await expect(send(await client(), input)).rejects.toMatchObject({ code: "sync_required" });
  const wallet = await clientOf(owner.walletKey, rpcUrl());
  await decryptFunds(wallet, await partyOf(wallet), await wallet.asset("USDG"));
  for (const days of [0n, 1n]) {
    for (const paid of [input, released]) {
      await send(await clientOnDay(days), paid);
      await forget();
    }
  }
  expect(await available()).toBe(before);
});

test("a request that was paid is known after midnight, also when another payment began the new epoch", async () => {
  const input = { to: to(), amount: "2", idempotencyKey: crypto.randomUUID() };
  await send(await client(), input);
  const before = await available();
  await forget();
  await send(await clientOnDay(1n), input);
  expect(await available()).toBe(before);
  await send(await clientOnDay(1n), { to: to(), amount: "1" });
  await forget();
  await send(await clientOnDay(1n), input);
  expect(await available()).toBe(before - 1_000_000n);
});
