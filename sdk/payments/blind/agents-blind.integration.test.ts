import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { idempotencyKeys } from "@/db/schema/keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { setLimits } from "@/lib/agents/set-limits";
import { env } from "@/lib/base/env";
import { GENEROUS } from "@/test/accounts/agent";
import {
  agent,
  agentKey,
  bringUpAgents,
  CHAIN,
  handleOf,
  limits,
  owner,
  ownerKey,
  pause,
  pay,
  setPolicy,
  settledAll,
  spentToday,
  stranger,
} from "@/test/accounts/agents";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { storedAsText } from "@/test/services/everything-stored";
import { clientOf, keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { approve } from "../approvals/approve";
import { dryRun, send } from "../send";
import { dryRunBlind } from "./dry-run-blind";
import { sendBlind } from "./pay-blind";

bringUpAgents();

let keys: Awaited<ReturnType<typeof createBlindKey>>;
/** In units, and in no other number of these tests. */
const FUNDS = 81_828_183n;

beforeEach(async () => {
  await settledAll(await pay(ownerKey, agent, "81.828183"));
  keys = await createBlindKey(agent);
});

const rpcUrl = () => env().chains.test.rpcUrl;
const blind = (meddle?: Meddle) => keyClientOf(keys, rpcUrl(), { meddle });
const wallet = () => clientOf(owner.walletKey, rpcUrl());
const paid = async (amount: string, more: object = {}, meddle?: Meddle) =>
  sendBlind(await blind(meddle), { to: handleOf(stranger), amount, ...more });
const refused = async (...of: Parameters<typeof paid>) =>
  toHalcyonError(await paid(...of).catch((error: unknown) => error));
const left = async () => (await limits())[1];

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

/** How an amount could be written: in units, as a decimal, and in the bytes of a ciphertext's plaintext. */
const writings = (units: bigint) => [
  String(units),
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`,
  units.toString(16).padStart(16, "0"),
];

test("an agent's blind key pays within the policy, and the service gets and stores neither amount nor balance", async () => {
  const { meddle, texts } = recorded();
  const transfer = await paid("31.415927", { memo: "canary" }, meddle);
  expect(transfer).toMatchObject({ status: "confirmed", from: handleOf(agent), to: handleOf(stranger) });
  expect(await left()).toBe(FUNDS - 31_415_927n);
  const seen = [...texts, await storedAsText()].join("\n");
  const secrets = [31_415_927n, FUNDS, FUNDS - 31_415_927n].flatMap(writings);
  for (const secret of [...secrets, keys.homeKey, Buffer.from(agent.secret).toString("hex"), "canary"]) {
    expect(seen, secret).not.toContain(secret);
  }
});

test("a request is paid once, also after a plain key and the wallet have paid, and all count what was spent", async () => {
  const input = { idempotencyKey: crypto.randomUUID() };
  await paid("3", input);
  await settledAll(await pay(agentKey, stranger, "2"));
  const byWallet = { to: handleOf(stranger), amount: "1", from: handleOf(agent), clientSigned: true };
  await send(await wallet(), byWallet);
  await db().delete(idempotencyKeys);
  await paid("3", input);
  expect(await left()).toBe(FUNDS - 6_000_000n);
  expect(await spentToday()).toBe(6_000_000n);
});

test("a dry run on this machine decides as the service does for a plain key, and names no amount to it", async () => {
  await setPolicy({
    perTransactionLimit: 10_000_000n,
    dailyLimit: 15_000_000n,
    hitlThreshold: 5_000_000n,
    allowedRecipients: [handleOf(stranger)],
  });
  await paid("4.999999");
  await settledAll(await pay(agentKey, stranger, "4"));
  const { meddle, texts } = recorded();
  const plain = await keyClientOf(await createApiKey(agent), rpcUrl());
  for (const [amount, to] of [
    ["1.234567", handleOf(stranger)],
    ["5.234567", handleOf(stranger)],
    ["6.234567", handleOf(stranger)],
    ["10.234567", handleOf(stranger)],
    ["1.234567", handleOf(owner)],
    ["1.234567", stranger.address],
  ] as const) {
    expect(await dryRunBlind(await blind(meddle), { to, amount }), amount).toEqual(await dryRun(plain, { to, amount }));
  }
  expect(texts.join("\n")).not.toContain("234567");
});

test("beyond the limits, to others, and while the agent is paused, nothing is paid, and the client says why", async () => {
  await setPolicy({
    perTransactionLimit: 10_000_000n,
    dailyLimit: 15_000_000n,
    allowedRecipients: [handleOf(stranger)],
  });
  const { meddle, texts } = recorded();
  expect(await refused("10.000001", {}, meddle)).toMatchObject({
    code: "policy_violation",
    reason: "per_transaction_limit",
  });
  expect(await refused("1", { to: handleOf(owner) }, meddle)).toMatchObject({ reason: "recipient_not_allowed" });
  expect(texts.filter((text) => text.endsWith("/v1/transfers"))).toEqual([]);
  await paid("10");
  expect(await refused("5.000001")).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
  await pause("paused");
  expect(await refused("1")).toMatchObject({ code: "policy_violation", reason: "agent_paused" });
  await pause("active");
  expect(await left()).toBe(FUNDS - 10_000_000n);
});

test("a client that has paid within a policy builds the next payment without a plan, and asks for one once it changes", async () => {
  const paths: string[] = [];
  const context = await blind((request, honest) => {
    paths.push(new URL(request.url).pathname);
    return honest();
  });
  const plans = () => paths.filter((path) => path.endsWith("/plan")).length;
  const payNow = (amount: string) => sendBlind(context, { to: handleOf(stranger), amount });
  await setPolicy({ dailyLimit: 5_000_000n });
  await payNow("2");
  await payNow("2");
  expect(plans()).toBe(1);
  const refusal = await payNow("2").catch(toHalcyonError);
  expect(refusal).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
  await setPolicy({ dailyLimit: 7_000_000n });
  await payNow("2");
  await payNow("1");
  expect(await spentToday()).toBe(7_000_000n);
  expect(plans()).toBe(3);
});

test("the number of payments is the service's to count, whatever the client keeps", async () => {
  await setPolicy({ paymentsPerDay: 2 });
  await Promise.all([paid("1"), paid("1")]);
  expect(await refused("1")).toMatchObject({ code: "policy_violation", reason: "payments_per_day" });
  expect(await left()).toBe(FUNDS - 2_000_000n);
});

test("above the threshold the owner decides, who pays exactly what the agent asked for", async () => {
  await setPolicy({ hitlThreshold: 5_000_000n });
  // Begins the epoch by which the request is known however often it is repeated.
  await paid("1");
  const { meddle, texts } = recorded();
  const input = { memo: "canary", reference: "order-7", idempotencyKey: crypto.randomUUID() };
  const held = await paid("5.141421", input, meddle);
  if (!("transaction_id" in held)) throw new Error("it was not held");
  expect(held).toMatchObject({ status: "pending_approval", agent: handleOf(agent), reference: "order-7" });
  expect(await paid("5.141421", input)).toEqual(held);
  const seen = [...texts, await storedAsText()].join("\n");
  for (const secret of [...writings(5_141_421n), ...writings(FUNDS - 1_000_000n), "canary"])
    expect(seen).not.toContain(secret);

  const id = held.transaction_id;
  const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, id));
  const knownBy = (value: `0x${string}` | null | undefined) =>
    db().update(heldPayments).set({ knownBy: value }).where(eq(heldPayments.id, id));
  await knownBy(`0x${"12".repeat(32)}`);
  await expect(approve(await wallet(), id)).rejects.toMatchObject({ param: "client_signed.note" });
  await knownBy(row?.knownBy);
  expect(await left()).toBe(FUNDS - 1_000_000n);
  expect(await approve(await wallet(), id)).toMatchObject({ status: "approved" });
  expect(await left()).toBe(FUNDS - 6_141_421n);
  await db().delete(idempotencyKeys);
  expect(await paid("5.141421", input)).toMatchObject({ status: "confirmed" });
  expect(await left()).toBe(FUNDS - 6_141_421n);
});

test("what an agent asks for before its first payment is one payment, also after the service has lost it", async () => {
  await setPolicy({ hitlThreshold: 5_000_000n });
  const input = { idempotencyKey: crypto.randomUUID() };
  const ask = async () => {
    const held = await paid("6", input);
    if (!("transaction_id" in held)) throw new Error("it was not held");
    const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, held.transaction_id));
    return { id: held.transaction_id, note: row?.knownBy };
  };
  const first = await ask();
  await db().delete(idempotencyKeys);
  const second = await ask();
  expect(second.note).toBe(first.note);
  await approve(await wallet(), first.id);
  // The chain shows that its note is paid, so this pays nothing, whatever it says.
  await approve(await wallet(), second.id).catch(() => {});
  expect(await left()).toBe(FUNDS - 6_000_000n);
  await paid("1");
  await db().delete(idempotencyKeys);
  expect(await paid("6", input)).toMatchObject({ status: "confirmed" });
  expect(await left()).toBe(FUNDS - 7_000_000n);
});

test("the owner's blind key approves exactly what the agent asked for, and the service sees no amount of it", async () => {
  await setPolicy({ hitlThreshold: 5_000_000n });
  const [own, other] = [await createBlindKey(owner), await createBlindKey(owner)];
  const client = async (meddle?: Meddle) => keyClientOf(own, rpcUrl(), { meddle });
  const ask = async (more: object = {}) => {
    const held = await paid("5.141421", { memo: "canary", ...more });
    if (!("transaction_id" in held)) throw new Error("it was not held");
    return held.transaction_id;
  };
  const id = await ask();
  const { meddle, texts } = recorded();
  let losses = 1;
  const losing: Meddle = async (request, honest) => {
    const response = await meddle(request, honest);
    if (!request.url.endsWith("/approve") || losses-- === 0) return response;
    throw new TypeError("fetch failed");
  };
  expect(await approve(await client(losing), id)).toMatchObject({ status: "approved", agent: handleOf(agent) });
  expect(await left()).toBe(FUNDS - 5_141_421n);
  expect(await spentToday()).toBe(5_141_421n);
  const seen = [...texts, await storedAsText()].join("\n");
  for (const secret of [...writings(5_141_421n), ...writings(FUNDS - 5_141_421n), own.homeKey, "canary"])
    expect(seen).not.toContain(secret);
  await expect(approve(await client(), id)).rejects.toMatchObject({ code: "transaction_not_found" });

  // Another text, another note, the bearer alone and a signature of another home key approve nothing.
  const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, id));
  const next = await ask({ public: true });
  const [asked] = await db().select().from(heldPayments).where(eq(heldPayments.id, next));
  const change = (values: Partial<typeof heldPayments.$inferInsert>) =>
    db().update(heldPayments).set(values).where(eq(heldPayments.id, next));
  const refusals: [Partial<typeof heldPayments.$inferInsert>, object][] = [
    [{ encrypted: row?.encrypted }, { code: "transaction_not_found" }],
    [{ knownBy: row?.knownBy }, { code: "invalid_request", param: "client_signed.note" }],
  ];
  for (const [values, refusal] of refusals) {
    await change(values);
    await expect(approve(await client(), next)).rejects.toMatchObject(refusal);
    await change({ encrypted: asked?.encrypted, knownBy: asked?.knownBy });
  }
  const mixed = await keyClientOf({ ...own, homeKey: other.homeKey }, rpcUrl());
  await expect(approve(mixed, next)).rejects.toMatchObject({ code: "key_forbidden" });
  const byBearer = await keyClientOf({ text: own.text }, rpcUrl());
  await expect(approve(byBearer, next)).rejects.toMatchObject({ code: "key_forbidden" });
  expect(await left()).toBe(FUNDS - 5_141_421n);
  expect(await approve(await client(), next)).toMatchObject({ status: "approved", confidential: false });
  expect(await left()).toBe(FUNDS - 10_282_842n);
  await paid("1");
  expect(await left()).toBe(FUNDS - 11_282_842n);
});

test("a public payment is paid and held the same way", async () => {
  await setPolicy({ hitlThreshold: 5_000_000n });
  expect(await paid("1", { public: true })).toMatchObject({ status: "confirmed", confidential: false });
  const held = await paid("6", { public: true });
  if (!("transaction_id" in held)) throw new Error("it was not held");
  await approve(await wallet(), held.transaction_id);
  expect(await left()).toBe(FUNDS - 7_000_000n);
});

test("an account's blind key pays within the account's own limits", async () => {
  const account = await Owner.funded(CHAIN, 20_000_000n);
  const own = await createBlindKey(account);
  const policy = { ...GENEROUS, perTransactionLimit: 10_000_000n };
  await setLimits(
    account.session,
    policy,
    await signPolicyAs(account, account.address, { policy, paused: false, version: 1n }),
  );
  const client = await keyClientOf(own, rpcUrl());
  const to = handleOf(stranger);
  await expect(sendBlind(client, { to, amount: "11" })).rejects.toMatchObject({ reason: "per_transaction_limit" });
  expect(await sendBlind(client, { to, amount: "4" })).toMatchObject({ status: "confirmed" });
  expect((await account.decryptAvailable()).limit).toBe(16_000_000n);
});

test("a limit that needs amounts and a blind key exclude each other, and the error names the other", async () => {
  const monthly = setPolicy({ monthlyLimit: 1_000_000n });
  await expect(monthly).rejects.toMatchObject({
    code: "invalid_policy",
    param: "monthly_limit_usdg",
    message: expect.stringContaining(keys.id),
  });
  const recipientLimits = [{ recipient: "*", perTransaction: 1_000_000n, monthly: null }];
  await expect(setPolicy({ recipientLimits })).rejects.toMatchObject({ param: "recipient_limits" });
  await revokeKey(owner.session, keys.id);
  await setPolicy({ monthlyLimit: 1_000_000n });
  await expect(createBlindKey(agent)).rejects.toMatchObject({ code: "invalid_policy", param: "monthly_limit_usdg" });
});
