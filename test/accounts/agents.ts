import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { db } from "@/db/client";
import { agents, heldPayments, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { availableStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { readPolicy } from "@/lib/agents/pending-policy";
import { updatePolicy } from "@/lib/agents/update-policy";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { createTransfer } from "@/lib/payments/create-transfer";
import { type CreatedTransfer, paidTransfer } from "@/lib/payments/paid-transfer";
import type { CreateTransferInput } from "@/lib/payments/schema";
import { localDay } from "@/lib/policy/local-time";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { paymentsBetween, spentOnDay } from "@/lib/policy/spent";
import { startWorkingServices } from "@/test/services/working-services";
import { Agent, GENEROUS } from "./agent";
import { awayFromMidnight } from "./away-from-midnight";
import { Owner, settled } from "./owner";
import { signPolicyAs } from "./sign-policy";

export const CHAIN = 46630;
const FUNDS = 1_000_000_000n;

/** Has 1,000 USDG in its available balance. One for all tests of a file. */
export let owner: Owner;
/** Has 1,000 USDG in its available balance. One for all tests of a file. */
export let stranger: Owner;
/** A new agent for each test, enrolled and without money. */
export let agent: Agent;
export let ownerKey: KeyContext;
export let agentKey: KeyContext;

/** Starts the services of a test file and creates the participants of its tests. */
export function bringUpAgents(): void {
  let services: Awaited<ReturnType<typeof startWorkingServices>> | undefined;
  beforeAll(async () => {
    services = await startWorkingServices();
    [owner, stranger] = await Promise.all([Owner.funded(CHAIN, FUNDS), Owner.funded(CHAIN, FUNDS)]);
    ownerKey = await owner.key();
  });
  afterAll(() => services?.stop());
  beforeEach(async () => {
    await awayFromMidnight();
    const registered = await Agent.create(owner);
    agent = registered.agent;
    agentKey = await agent.key();
    await settled(registered.operationId);
  });
}

/** Returns a party's handle with the `@`. */
export const handleOf = (party: Owner | Agent) => `@${party.account.handle}`;

/** Requests a payment in USDG, with any party's key. */
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

/** Requests a payment that must be paid. Returns its row. */
export const pay = async (...request: Parameters<typeof ask>) => paidTransfer(await ask(...request)).row;

/** Returns the held payment of a request that must be held. */
export function heldOf(created: CreatedTransfer) {
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held;
}

/** Returns what is in the available balances of the owner and its agent, in units. */
export const limits = async () =>
  [(await owner.decryptAvailable()).limit, (await agent.decryptAvailable()).limit] as const;

/** Returns what the agent has spent today, in units. */
export const spentToday = async () => spentOnDay((await agent.decryptAvailable()).counters, "UTC", new Date());

/** Returns how many payments of the agent count today. */
export const paymentsToday = async () =>
  paymentsBetween((await agent.decryptAvailable()).counters, localDay("UTC", new Date()));

/** Gives the agent a permissive policy with these changes, signed by its owner's wallet. Waits for the ledger. */
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

/** Returns everything of the agent that a refused request must leave unchanged. */
export async function everything() {
  const mine = [agent.address, owner.address];
  const [availableBalances, sent, submitted, held, states, announced, audit] = await Promise.all([
    limits(),
    db().select({ id: transfers.id }).from(transfers).where(eq(transfers.payerRootId, owner.account.id)),
    db().select({ id: operations.id }).from(operations).where(inArray(operations.account, mine)),
    db().select({ id: heldPayments.id }).from(heldPayments).where(eq(heldPayments.agentId, agent.account.id)),
    db().select({ id: availableStates.id }).from(availableStates).where(eq(availableStates.account, agent.address)),
    db().select({ id: events.id }).from(events).where(eq(events.rootId, owner.account.id)),
    db().select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.rootId, owner.account.id)),
  ]);
  return { availableBalances, counts: [sent, submitted, held, states, announced, audit].map(({ length }) => length) };
}

/** Waits until payments are in blocks, so that what follows starts from final states. */
export async function settledAll(...rows: { operationId: string }[]): Promise<void> {
  const states = await settled(...rows.map(({ operationId }) => operationId));
  expect(new Set(states)).toEqual(new Set(["confirmed"]));
}
