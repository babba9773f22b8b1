import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { db } from "@/db/client";
import { agents, heldPayments, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { budgetStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { readPolicy } from "@/lib/agents/policy-under-way";
import { updatePolicy } from "@/lib/agents/update-policy";
import type { Context, KeyContext } from "@/lib/context/context";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { paymentsOnDay, spentOnDay } from "@/lib/policy/spent";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { type CreatedTransfer, paidTransfer } from "@/lib/transfers/paid-transfer";
import type { CreateTransferInput } from "@/lib/transfers/schema";
import { startWorkingServices } from "@/test/services/working-services";
import { Agent, GENEROUS } from "./agent";
import { Owner, settled } from "./owner";
import { signPolicyAs } from "./sign-policy";

export const CHAIN = 46630;
const FUNDS = 1_000_000_000n;

/** 1,000 USDG in the budget, for all tests of a file. */
export let owner: Owner;
/** The same. */
export let stranger: Owner;
/** A new one for each test, enrolled, with nothing. */
export let agent: Agent;
export let ownerKey: KeyContext;
export let agentKey: KeyContext;

/** Boots the services of a test file and brings up who takes part in its tests. */
export function bringUpAgents(): void {
  let services: Awaited<ReturnType<typeof startWorkingServices>> | undefined;
  beforeAll(async () => {
    services = await startWorkingServices();
    [owner, stranger] = await Promise.all([Owner.funded(CHAIN, FUNDS), Owner.funded(CHAIN, FUNDS)]);
    ownerKey = await owner.key();
  });
  afterAll(() => services?.stop());
  beforeEach(async () => {
    const registered = await Agent.create(owner);
    agent = registered.agent;
    agentKey = await agent.key();
    await settled(registered.operationId);
  });
}

/** A party's handle, as one writes it. */
export const handleOf = (party: Owner | Agent) => `@${party.account.handle}`;

/** Asks for a payment in USDG, by anyone's key. */
export const ask = (
  ctx: Context,
  to: Owner | Agent | string,
  amount: string,
  more: Partial<CreateTransferInput> = {},
) =>
  createTransfer(ctx, {
    to: typeof to === "string" ? to : handleOf(to),
    amount,
    asset: "USDG",
    confidential: true,
    ...more,
  });

/** The same, of one that is paid. */
export const pay = async (...request: Parameters<typeof ask>) => paidTransfer(await ask(...request)).row;

/** Of one that is held. */
export function heldOf(created: CreatedTransfer) {
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held;
}

/** What is in the budgets of the owner and of its agent, in units. */
export const limits = async () => [(await owner.openBudget()).limit, (await agent.openBudget()).limit] as const;

/** What the agent has spent today, in units. */
export const spentToday = async () => spentOnDay((await agent.openBudget()).counters, "UTC", new Date());

/** How many payments of the agent are counted today. */
export const paymentsToday = async () => paymentsOnDay((await agent.openBudget()).counters, "UTC", new Date());

/** Gives the agent a policy that allows much, but for these fields, by its owner's wallet; waits for the ledger. */
export async function setPolicy(change: Partial<SpendPolicy>): Promise<void> {
  const policy = { ...GENEROUS, ...change };
  const { policyVersion } = await readPolicy(CHAIN, agent.account);
  const signed = await signPolicyAs(owner, agent.address, { policy, paused: false, version: policyVersion + 1n });
  await updatePolicy(owner.session, agent.account.id, policy, signed);
  const [row] = await db()
    .select({ setBy: spendPolicies.setBy })
    .from(spendPolicies)
    .where(eq(spendPolicies.holderId, agent.account.id));
  if (row?.setBy) await settledAll({ operationId: row.setBy });
}

/** Pauses the agent, or lets it pay again. */
export async function pause(status: "active" | "paused"): Promise<void> {
  await db().update(agents).set({ status }).where(eq(agents.accountId, agent.account.id));
}

/** Everything of the agent that a refused request must leave alone. */
export async function everything() {
  const mine = [agent.address, owner.address];
  const [budgets, sent, submitted, held, states, announced, audit] = await Promise.all([
    limits(),
    db().select({ id: transfers.id }).from(transfers).where(eq(transfers.payerRootId, owner.account.id)),
    db().select({ id: operations.id }).from(operations).where(inArray(operations.account, mine)),
    db().select({ id: heldPayments.id }).from(heldPayments).where(eq(heldPayments.agentId, agent.account.id)),
    db().select({ id: budgetStates.id }).from(budgetStates).where(eq(budgetStates.account, agent.address)),
    db().select({ id: events.id }).from(events).where(eq(events.rootId, owner.account.id)),
    db().select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.rootId, owner.account.id)),
  ]);
  return { budgets, counts: [sent, submitted, held, states, announced, audit].map(({ length }) => length) };
}

/** Waits until payments are in blocks: what follows starts from final states. */
export async function settledAll(...rows: { operationId: string }[]): Promise<void> {
  const states = await settled(...rows.map(({ operationId }) => operationId));
  expect(new Set(states)).toEqual(new Set(["confirmed"]));
}
