import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { budgetStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { rowOfPolicy } from "@/lib/agents/policy-row";
import type { Context, KeyContext } from "@/lib/auth/context";
import { fromHex } from "@/lib/ledger/bytes";
import { openHeld } from "@/lib/ledger/held";
import { deriveHeldKey } from "@/lib/ledger/keys";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { spentOnDay } from "@/lib/policy/spent";
import { Agent, GENEROUS } from "@/scripts/testing/agent";
import { Owner, settled } from "@/scripts/testing/owner";
import { startWorkingServices } from "@/scripts/testing/working-services";
import { createTransfer } from "./create-transfer";
import { type CreatedTransfer, paidTransfer } from "./created-transfer";
import type { CreateTransferInput } from "./schema";
import { tryTransfer } from "./try-transfer";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let owner: Owner;
let stranger: Owner;
let agent: Agent;
let ownerKey: KeyContext;
let agentKey: KeyContext;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, stranger] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.funded(CHAIN, 1_000_000_000n)]);
  ownerKey = await owner.key();
}, 180_000);

afterAll(() => services?.stop(), 30_000);

beforeEach(async () => {
  const made = await Agent.create(owner);
  agent = made.agent;
  agentKey = await agent.key();
  await settled(made.operationId);
});

const handleOf = (party: Owner | Agent) => `@${party.account.handle}`;
const ask = (ctx: Context, to: Owner | Agent | string, amount: string, more: Partial<CreateTransferInput> = {}) =>
  createTransfer(ctx, {
    to: typeof to === "string" ? to : handleOf(to),
    amount,
    asset: "USDG",
    confidential: true,
    ...more,
  });
const pay = async (...request: Parameters<typeof ask>) => paidTransfer(await ask(...request)).row;
const heldOf = (created: CreatedTransfer) => {
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held;
};
const limits = async () => [(await owner.openBudget()).limit, (await agent.openBudget()).limit] as const;
const spentToday = async () => spentOnDay((await agent.openBudget()).counters, "UTC", new Date());

async function setPolicy(change: Partial<SpendPolicy>): Promise<void> {
  const row = rowOfPolicy({ ...GENEROUS, ...change });
  await db().update(spendPolicies).set(row).where(eq(spendPolicies.agentId, agent.account.id));
}

/** Everything of the agent that a refused request must leave alone. */
async function everything() {
  const mine = [agent.address, owner.address];
  const [budgets, sent, made, held, states, told] = await Promise.all([
    limits(),
    db().select({ id: transfers.id }).from(transfers).where(eq(transfers.payerRootId, owner.account.id)),
    db().select({ id: operations.id }).from(operations).where(inArray(operations.account, mine)),
    db().select({ id: heldPayments.id }).from(heldPayments).where(eq(heldPayments.agentId, agent.account.id)),
    db().select({ id: budgetStates.id }).from(budgetStates).where(eq(budgetStates.account, agent.address)),
    db().select({ id: events.id }).from(events).where(eq(events.rootId, owner.account.id)),
  ]);
  const audit = await db().select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.rootId, owner.account.id));
  return { budgets, counts: [sent, made, held, states, told, audit].map(({ length }) => length) };
}

/** The operations so far, in blocks: what follows starts from final states. */
const settledAll = async (...rows: { operationId: string }[]) => {
  const states = await settled(...rows.map(({ operationId }) => operationId));
  expect(new Set(states)).toEqual(new Set(["confirmed"]));
};

describe("a payment over the threshold", () => {
  test("is held: recorded for the owner alone to open, once, with event and audit entry, and nothing is spent", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 2_000_000n });
    const before = await limits();
    const held = heldOf(await ask(agentKey, stranger, "2.000001", { memo: "a server" }));
    expect(held).toMatchObject({
      status: "pending_approval",
      agentHandle: agent.account.handle,
      to: handleOf(stranger),
    });
    expect(held.expiresAt.getTime() - held.requestedAt.getTime()).toBe(86_400_000);
    expect(await limits()).toEqual(before);
    expect(await spentToday()).toBe(0n);
    const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, held.id));
    expect(row).toMatchObject({
      agentId: agent.account.id,
      rootId: owner.account.id,
      recipientAddress: stranger.address,
      kind: "transfer",
      keyId: agentKey.keyId,
    });
    if (!row) throw new Error("no row");
    const place = { id: row.id, agent: agent.address, asset: row.asset };
    const open = (secret: Uint8Array) => openHeld(secret, agent.secret, agent.scope, place, fromHex(row.sealed));
    const { secret: heldSecret } = deriveHeldKey(owner.secret, owner.scope);
    expect(await open(heldSecret)).toMatchObject({ to: stranger.address, amount: 2_000_001n, memo: "a server" });
    await expect(open(deriveHeldKey(agent.secret, agent.scope).secret)).rejects.toThrow();
    const told = await db().select().from(events).where(eq(events.accountId, agent.account.id));
    expect(told.filter(({ payload }) => payload.transaction_id === held.id).map(({ type }) => type)).toEqual([
      "agent.transaction.pending_approval",
    ]);
    const audit = await db().select().from(auditLog).where(eq(auditLog.target, held.id));
    expect(audit.map(({ action, actorType }) => [action, actorType])).toEqual([["agent.transaction.held", "agent"]]);
    const text = JSON.stringify([row, told, audit], (_, value) => (typeof value === "bigint" ? `${value}` : value));
    expect(text).not.toMatch(/2000001|2\.000001|a server/);
    // Exactly the threshold is the agent's to decide.
    await settledAll(await pay(agentKey, stranger, "2"));
  });

  test("is not held but refused when a rule or the funds forbid it", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 0n, perTransactionLimit: 20_000_000n });
    const before = await everything();
    await expect(ask(agentKey, stranger, "21")).rejects.toMatchObject({ reason: "per_transaction_limit" });
    await expect(ask(agentKey, stranger, "11")).rejects.toMatchObject({ code: "insufficient_balance" });
    expect(await everything()).toEqual(before);
  });
});

describe("a dry run", () => {
  const dry = (ctx: KeyContext, to: Owner | Agent, amount: string, more: Partial<CreateTransferInput> = {}) =>
    tryTransfer(ctx, { to: handleOf(to), amount, asset: "USDG", confidential: true, ...more });

  test("says what the policy says, rule by rule, counting today's payments, and records nothing", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await settledAll(await pay(agentKey, stranger, "4"));
    await setPolicy({ dailyLimit: 6_000_000n, hitlThreshold: 1_000_000n });
    const before = await everything();
    const { decision: held } = await dry(agentKey, stranger, "2");
    expect(held.outcome).toBe("held");
    const { decision: denied } = await dry(ownerKey, stranger, "2.000001", { from: handleOf(agent) });
    expect(denied).toMatchObject({ outcome: "denied", reason: "daily_limit" });
    expect(denied.rules.map(({ rule }) => rule)).toEqual([
      "agent_paused",
      "asset_not_allowed",
      "recipient_not_allowed",
      "outside_active_hours",
      "per_transaction_limit",
      "daily_limit",
      "approval_threshold",
    ]);
    expect((await dry(agentKey, stranger, "1")).decision.outcome).toBe("allowed");
    // Funds are not asked; an account, and what moves between it and its agents, has no policy.
    await setPolicy({});
    expect((await dry(agentKey, stranger, "900")).decision.outcome).toBe("allowed");
    for (const free of [dry(ownerKey, stranger, "1"), dry(ownerKey, agent, "1")]) {
      expect((await free).decision).toEqual({ outcome: "allowed", rules: [] });
    }
    await expect(dry(agentKey, agent, "1")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(tryTransfer(agentKey, { ...input("@nobody-here") })).rejects.toMatchObject({
      code: "recipient_not_found",
    });
    expect(await everything()).toEqual(before);
  });
});

const input = (to: string) => ({ to, amount: "1", asset: "USDG" as const, confidential: true });
