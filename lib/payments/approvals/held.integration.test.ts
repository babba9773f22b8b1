import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { agents, heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { transfers } from "@/db/schema/transfers";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { pauseAgent } from "@/lib/agents/set-status";
import type { KeyContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import { runWorker } from "@/lib/worker/run-worker";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { closeExpired } from "./close-expired";
import { listPending } from "./list-pending";
import { reject } from "./reject";
import { rejectAll } from "./reject-all";

const CHAIN = 46630;
let services: LocalServices;
let owner: Owner;
let bob: Owner;
let carol: Owner;
let agent: Agent;
let sibling: Agent;
let ownerKey: KeyContext;
let agentKey: KeyContext;
let siblingKey: KeyContext;

const handleOf = ({ account }: Owner) => `@${account.handle}`;

beforeAll(async () => {
  process.env.LOG_LEVEL ??= "silent"; // each refusal is logged
  services = await startLocalServices();
  const stop = new AbortController();
  const worker = runWorker(stop.signal);
  [owner, bob, carol] = await Promise.all([
    Owner.funded(CHAIN, 100_000_000n),
    Owner.funded(CHAIN, 1_000_000n),
    Owner.funded(CHAIN, 1_000_000n),
  ]);
  ownerKey = await owner.key();
  const make = async () => {
    const { agent: one, operationId } = await Agent.create(owner, { hitlThreshold: 0n });
    await settled(operationId);
    const to = `@${one.account.handle}`;
    await createTransfer(ownerKey, { to, amount: "40", asset: "USDG", confidential: true });
    return one;
  };
  [agent, sibling] = [await make(), await make()];
  [agentKey, siblingKey] = [await agent.key(), await sibling.key()];
  // These tests close held payments themselves.
  stop.abort();
  await worker;
});

afterAll(() => services?.stop());

async function hold(ctx: KeyContext, to: Owner, amount = "1", confidential = true): Promise<string> {
  const created = await createTransfer(ctx, { to: handleOf(to), amount, asset: "USDG", confidential });
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held.id;
}

const rowOf = async (id: string) => {
  const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, id));
  if (!row) throw new Error("the held payment is gone");
  return row;
};
const payments = async () => (await db().select({ id: transfers.id }).from(transfers)).length;

test("an attacker who writes to the database redirects no approval: whichever column they change, nothing is paid", async () => {
  const [mine, other, siblings, released] = [
    await hold(agentKey, bob, "1"),
    await hold(agentKey, bob, "30"),
    await hold(siblingKey, bob, "2"),
    await hold(agentKey, bob, "3", false),
  ];
  const original = await rowOf(mine);
  const [bigger, siblingsRow, releasedRow] = [await rowOf(other), await rowOf(siblings), await rowOf(released)];
  const flipped = fromHex(original.encrypted);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  const changes: [what: string, change: Partial<typeof original>][] = [
    ["the handle", { to: handleOf(carol) }],
    ["the address", { recipientAddress: carol.address }],
    ["both", { to: handleOf(carol), recipientAddress: carol.address }],
    ["the encrypted text for a bigger one's", { encrypted: bigger.encrypted }],
    ["the encrypted text for a sibling's", { encrypted: siblingsRow.encrypted }],
    ["the encrypted text for a public one's, with its kind", { encrypted: releasedRow.encrypted, kind: "release" }],
    ["the kind", { kind: "release" }],
    ["the agent", { agentId: sibling.account.id }],
    ["the asset", { asset: `0x${"00".repeat(20)}` }],
    ["a byte of the encrypted text", { encrypted: toHex(flipped) }],
  ];
  const before = await payments();
  for (const [what, change] of changes) {
    await db().update(heldPayments).set(change).where(eq(heldPayments.id, mine));
    await expect(approve(ownerKey, mine, {}), what).rejects.toMatchObject({ code: "transaction_not_found" });
    expect((await rowOf(mine)).status, what).toBe("pending_approval");
    await db().update(heldPayments).set(original).where(eq(heldPayments.id, mine));
  }
  expect(await payments()).toBe(before);
  expect(await approve(ownerKey, mine, {})).toMatchObject({ decided: { status: "approved" }, to: handleOf(bob) });
  // The encrypted text was deleted. Writing it back does not pay it twice, because it would make the same note.
  expect((await rowOf(mine)).encrypted).toBe("0x");
  const again = { ...original, decidedAt: null, transferId: null };
  await db().update(heldPayments).set(again).where(eq(heldPayments.id, mine));
  const paid = await payments();
  await expect(approve(ownerKey, mine, {})).rejects.toMatchObject({ code: "transaction_not_found" });
  expect(await payments()).toBe(paid);
  await db().update(heldPayments).set({ status: "approved", encrypted: "0x" }).where(eq(heldPayments.id, mine));
  expect(await payments()).toBe(before + 1);
});

test("what an agent's key writes under another's name does not open as that agent's", async () => {
  const [mine, siblings] = [await hold(agentKey, bob), await hold(siblingKey, bob)];
  // The sibling's text is encrypted for the same held key, but names the sibling, and its MAC is the sibling's.
  const { encrypted } = await rowOf(siblings);
  await db().update(heldPayments).set({ encrypted }).where(eq(heldPayments.id, mine));
  await expect(approve(ownerKey, mine, {})).rejects.toMatchObject({ code: "transaction_not_found" });
});

test("workers that close at the same time close each payment once; no one decides it any more", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push(await hold(i % 2 ? agentKey : siblingKey, bob));
  const open = await hold(agentKey, bob);
  await db()
    .update(heldPayments)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(inArray(heldPayments.id, ids));
  await expect(approve(ownerKey, ids[0] ?? "", {})).rejects.toMatchObject({ code: "transaction_expired" });
  await Promise.all([closeExpired(), closeExpired(), closeExpired()]);
  await closeExpired();
  const rows = await db().select().from(heldPayments).where(inArray(heldPayments.id, ids));
  expect(rows.map(({ status }) => status)).toEqual(ids.map(() => "expired"));
  const log = await db()
    .select()
    .from(auditLog)
    .where(inArray(auditLog.target, [...ids, open]));
  const closed = log.filter(({ action }) => action === "agent.transaction.expired");
  expect(closed.map(({ target }) => target).sort()).toEqual([...ids].sort());
  expect(new Set(closed.map(({ actorType }) => actorType))).toEqual(new Set(["system"]));
  for (const verb of [() => approve(ownerKey, ids[1] ?? "", {}), () => reject(ownerKey, ids[1] ?? "")]) {
    await expect(verb()).rejects.toMatchObject({ code: "transaction_expired" });
  }
  expect((await rowOf(open)).status).toBe("pending_approval");
});

test("the verbs themselves refuse an agent's key and an owner's foreign id", async () => {
  const id = await hold(agentKey, bob);
  const foreign = await bob.key();
  for (const verb of [(ctx: KeyContext) => approve(ctx, id, {}), (ctx: KeyContext) => reject(ctx, id)]) {
    await expect(verb(agentKey)).rejects.toMatchObject({ code: "not_agent_owner" });
    await expect(verb(foreign)).rejects.toMatchObject({ code: "transaction_not_found" });
  }
  expect((await rowOf(id)).status).toBe("pending_approval");
});

/** Returns what became of requests that were made at once: the decision, or the code of the refusal. */
async function outcomesOf(requests: Promise<{ decided: { status: string } }>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(requests);
  return outcomes.map((one) => (one.status === "fulfilled" ? one.value.decided.status : one.reason.code)).sort();
}

test("of approvals and rejections at once one is what happens, the others find nothing to decide; at most one payment is made", async () => {
  for (const verbs of ["aaaa", "aaar", "arar", "rrra"]) {
    const [before, id] = [await payments(), await hold(agentKey, bob)];
    // Who asked has no say any more.
    if (verbs === "aaaa") await revokeKey(owner.session, agentKey.keyId);
    const decide = [...verbs].map((verb, n) =>
      // A rejection is faster, so it begins later.
      verb === "a" ? approve(ownerKey, id, {}) : sleep(n * 20).then(() => reject(ownerKey, id)),
    );
    const [decision = "", ...others] = await outcomesOf(decide);
    expect(others).toEqual(others.map(() => "transaction_not_found"));
    expect((await rowOf(id)).status).toBe(decision);
    expect(await payments()).toBe(before + (decision === "approved" ? 1 : 0));
    const log = await db().select().from(auditLog).where(eq(auditLog.target, id));
    const decisions = log.filter(({ action }) => action !== "agent.transaction.held");
    expect(decisions.map(({ action }) => action)).toEqual([`agent.transaction.${decision}`]);
    agentKey = await agent.key();
  }
});

test("an approval at the end of its window pays once, or the payment has expired and stays so", async () => {
  for (const left of [600, 60, 0]) {
    const [before, id] = [await payments(), await hold(agentKey, bob)];
    const end = new Date(Date.now() + left);
    await db().update(heldPayments).set({ expiresAt: end }).where(eq(heldPayments.id, id));
    const both = outcomesOf([approve(ownerKey, id, {}), approve(ownerKey, id, {})]);
    await sleep(Math.max(0, end.getTime() - Date.now()));
    await closeExpired();
    const outcomes = await both;
    await closeExpired();
    const isPaid = outcomes.includes("approved");
    expect((await rowOf(id)).status).toBe(isPaid ? "approved" : "expired");
    expect(await payments()).toBe(before + (isPaid ? 1 : 0));
    expect(outcomes.filter((one) => one !== "approved")).toHaveLength(isPaid ? 1 : 2);
    if (!isPaid) expect(new Set(outcomes)).toEqual(new Set(["transaction_expired"]));
    if (left === 0) expect(isPaid).toBe(false);
  }
});

test("an approval beside a pause was made before it, or leaves the payment held", async () => {
  for (const late of [0, 40, 120]) {
    const id = await hold(agentKey, bob);
    const approval = outcomesOf([approve(ownerKey, id, {})]);
    await sleep(late);
    expect((await pauseAgent(owner.session, agent.account.id)).status).toBe("paused");
    const [outcome = ""] = await approval;
    expect(["approved", "policy_violation"]).toContain(outcome);
    const log = await db().select().from(auditLog).where(eq(auditLog.rootId, owner.account.id));
    const last = (target: string, action: string) =>
      Math.max(...log.filter((one) => one.target === target && one.action === action).map(({ position }) => position));
    if (outcome === "approved") {
      expect(last(id, "agent.transaction.approved")).toBeLessThan(last(agent.account.id, "agent.paused"));
    } else expect((await rowOf(id)).status).toBe("pending_approval");
    // As if it had been resumed: the pause did not reach the ledger.
    await db().update(agents).set({ status: "active" }).where(eq(agents.accountId, agent.account.id));
  }
});

test("an agent has 50 payments open at most: the next is refused, its owner drops them in bulk, and then it may ask again", async () => {
  const ask = () => createTransfer(siblingKey, { to: handleOf(bob), amount: "0.5", asset: "USDG", confidential: true });
  const flooder = sibling;
  await rejectAll(owner.session, {});
  expect(await ask()).toMatchObject({ outcome: "held" });
  const [one] = await db()
    .select()
    .from(heldPayments)
    .where(and(eq(heldPayments.agentId, flooder.account.id), eq(heldPayments.status, "pending_approval")));
  if (!one) throw new Error("nothing was held");
  await db()
    .insert(heldPayments)
    .values(Array.from({ length: 49 }, () => ({ ...one, id: newId("transaction") })));
  await expect(ask()).rejects.toMatchObject({ code: "policy_violation", reason: "too_many_held" });
  await expect(rejectAll(bob.session, { agent: flooder.account.id })).rejects.toMatchObject({
    code: "not_agent_owner",
  });
  expect(await rejectAll(owner.session, { agent: flooder.account.id })).toEqual({ rejected: 50, hasMore: false });
  expect((await listPending(owner.session, { limit: 100, offset: 0 })).list).toHaveLength(0);
  const entries = await db().select().from(auditLog).where(eq(auditLog.action, "agent.transaction.rejected"));
  expect(entries.filter(({ target }) => target === one.id)).toHaveLength(1);
  expect(await ask()).toMatchObject({ outcome: "held" });
});
