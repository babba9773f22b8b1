import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { databaseAway } from "@/db/database-away";
import { relayUsage } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { updatePolicy } from "@/lib/agents/update-policy";
import { releaseBalanceLock } from "@/lib/balances/balance-lock";
import { lockAvailable } from "@/lib/balances/lock";
import { readBalances } from "@/lib/balances/proven/read-balances";
import { assetBySymbol } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { onBehalfOf } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import type { PolicyReason } from "@/lib/policy/policy-violation";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { Agent } from "@/test/accounts/agent";
import {
  agent,
  agentKey,
  ask,
  bringUpAgents,
  CHAIN,
  everything,
  handleOf,
  limits,
  owner,
  ownerKey,
  pause,
  pay,
  paymentsToday,
  setPolicy,
  settledAll,
  spentToday,
  stranger,
} from "@/test/accounts/agents";
import { createApiKey } from "@/test/accounts/api-key";
import { settled } from "@/test/accounts/owner";
import { inAnotherRequest } from "@/test/services/elsewhere";
import { listTransfers } from "./list-transfers";
import { paidTransfer } from "./paid-transfer";

const REQUEST = { requestId: "test", clientAddress: null };

bringUpAgents();

describe("money between an owner and its agent", () => {
  test("moves from available balance to available balance by the account's key, either way, spendable at once, with an event for both", async () => {
    const [had] = await limits();
    const there = await pay(ownerKey, agent, "50", { memo: "for the week" });
    expect(there).toMatchObject({ kind: "fund", payerId: owner.account.id, recipientId: agent.account.id });
    // Before anything is final, the agent pays, and gives money back.
    const onward = await pay(agentKey, stranger, "5");
    const back = await pay(ownerKey, owner, "20", { from: handleOf(agent) });
    expect(onward.kind).toBe("transfer");
    expect(back).toMatchObject({ kind: "fund", payerId: agent.account.id, recipientId: owner.account.id });
    await settledAll(there, onward, back);
    expect(await limits()).toEqual([had - 30_000_000n, 25_000_000n]);
    expect(await spentToday()).toBe(5_000_000n);
    for (const [row, sender, receiver] of [
      [there, owner, agent],
      [back, agent, owner],
    ] as const) {
      const announced = await db()
        .select()
        .from(events)
        .where(eq(events.rootId, owner.account.id))
        .orderBy(asc(events.id));
      const mine = announced.filter(({ payload }) => payload.transfer_id === row.id);
      expect(mine.map(({ type, accountId, payload }) => [type, accountId, payload.direction])).toEqual([
        ["transfer.initiated", sender.account.id, "sent"],
        ["transfer.initiated", receiver.account.id, "received"],
        ["transfer.confirmed", sender.account.id, "sent"],
        ["transfer.confirmed", receiver.account.id, "received"],
      ]);
      expect(mine.every(({ payload }) => payload.confidential === true)).toBe(true);
    }
    for (const holder of [owner, agent]) {
      const { transfers: listed } = await listTransfers(holder.session, { limit: 100, offset: 0 });
      expect(listed.filter(({ row }) => row.id === there.id).length).toBe(1);
    }
  });

  test("goes by policy-free fund also when the agent is paused, and never by the agent's own key", async () => {
    await pay(ownerKey, agent, "50");
    await setPolicy({ allowedRecipients: [] });
    await pause("paused");
    await expect(ask(agentKey, owner, "1")).rejects.toMatchObject({ code: "policy_violation" });
    const back = await pay(ownerKey, owner, "50", { from: handleOf(agent) });
    await settledAll(back);
    expect((await limits())[1]).toBe(0n);
    await pause("active");
    await setPolicy({});
    await settledAll(await pay(ownerKey, agent, "10"));
    const plain = await pay(agentKey, owner, "4");
    expect(plain.kind).toBe("transfer");
    expect(await spentToday()).toBe(4_000_000n);
    await settledAll(plain);
  });

  test("is made although it and what voids states have waited for each other", async () => {
    const lowFirst = [owner.address, agent.address].sort();
    const availableIds = lowFirst.map(
      (account) => ({ chainId: CHAIN, account, asset: assetBySymbol(CHAIN).address }) as const,
    );
    const [low, high] = availableIds;
    if (!low || !high) throw new Error("two places");
    await settledAll(await pay(ownerKey, agent, "1"));
    let moved: Promise<unknown> = Promise.resolve();
    // Lock in the wrong order: first the later available balance, then, once the payment waits for it, the earlier one.
    const against = db().transaction(async (tx) => {
      await lockAvailable(tx, high);
      moved = inAnotherRequest(() => pay(ownerKey, agent, "2")).then((row) => settledAll(row));
      await sleep(300);
      await lockAvailable(tx, low);
    });
    // PostgreSQL aborts one of the two, usually the payment.
    await Promise.allSettled([against]);
    await moved;
    expect((await limits())[1]).toBe(3_000_000n);
  });

  test("is seen by the agent's key, which sees its own balance alone", async () => {
    await verifyIdentity(owner.session, {});
    const { context } = await authenticateKey(`Bearer ${(await createApiKey(agent)).text}`, REQUEST, "flag");
    const isAbove = async () =>
      (await readBalances(context, {})).balances.some((one) => "above_zero" in one && one.above_zero);
    expect(await isAbove()).toBe(false);
    await settledAll(await pay(ownerKey, agent, "1"));
    expect(await isAbove()).toBe(true);
  });

  test("is refused beyond either available balance", async () => {
    const before = await everything();
    await expect(ask(ownerKey, agent, "100000")).rejects.toMatchObject({ code: "insufficient_balance" });
    await expect(ask(ownerKey, owner, "1", { from: handleOf(agent) })).rejects.toMatchObject({
      code: "insufficient_balance",
    });
    expect(await everything()).toEqual(before);
  });
});

describe("what an agent pays", () => {
  test("is signed by its own wallet, counts against its owner's quota, and reaches siblings by policy", async () => {
    const { agent: sibling, operationId } = await Agent.create(owner);
    await settled(operationId);
    const [first, second, third] = [
      await pay(ownerKey, agent, "30"),
      await pay(agentKey, sibling, "3"),
      await pay(ownerKey, sibling, "4", { from: handleOf(agent) }),
    ];
    await settledAll(first, second, third);
    expect([second.kind, third.kind]).toEqual(["transfer", "transfer"]);
    expect(await spentToday()).toBe(7_000_000n);
    expect((await sibling.openNotes()).map(({ amount }) => amount).sort()).toEqual([3_000_000n, 4_000_000n]);
    const used = await db()
      .select()
      .from(relayUsage)
      .where(inArray(relayUsage.account, [agent.address, sibling.address]));
    expect(used).toEqual([]);
    await settled(await sibling.makeAvailable());
    expect((await sibling.decryptAvailable()).limit).toBe(7_000_000n);
  });

  const denials: [PolicyReason, Partial<SpendPolicy>, string][] = [
    ["asset_not_allowed", { assets: ["ETH"] }, "1"],
    ["recipient_not_allowed", { allowedRecipients: ["@somebody-else"] }, "1"],
    ["outside_active_hours", { activeHours: closedHours() }, "1"],
    ["per_transaction_limit", { perTransactionLimit: 999_999n }, "1"],
    ["daily_limit", { dailyLimit: 999_999n }, "1"],
    ["monthly_limit", { monthlyLimit: 999_999n }, "1"],
    ["payments_per_hour", { paymentsPerHour: 0 }, "1"],
    ["payments_per_day", { paymentsPerDay: 0 }, "1"],
    [
      "recipient_transaction_limit",
      { recipientLimits: [{ recipient: "*", perTransaction: 999_999n, monthly: null }] },
      "1",
    ],
    [
      "recipient_monthly_limit",
      { recipientLimits: [{ recipient: "*", perTransaction: null, monthly: 999_999n }] },
      "1",
    ],
  ];
  test.each(denials)("is refused with %s, and nothing is recorded", async (reason, policy, amount) => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy(policy);
    const before = await everything();
    for (const [ctx, from] of [
      [agentKey, undefined],
      [ownerKey, handleOf(agent)],
    ] as const) {
      const error = await ask(ctx, stranger, amount, { from }).then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ code: "policy_violation", reason });
      // It says which rule, never by how much.
      expect(error.publicMessage).not.toMatch(/0[.,]999999|999999/);
    }
    expect(await everything()).toEqual(before);
    await setPolicy({});
    await settledAll(await pay(agentKey, stranger, amount));
  });

  test("is refused while it is paused, before its funds are looked at", async () => {
    await pause("paused");
    const refused = { code: "policy_violation", reason: "agent_paused" };
    await expect(ask(agentKey, stranger, "100000")).rejects.toMatchObject(refused);
    await pause("active");
    await expect(ask(agentKey, stranger, "10000")).rejects.toMatchObject({ reason: "per_transaction_limit" });
    await expect(ask(agentKey, stranger, "1")).rejects.toMatchObject({ code: "insufficient_balance" });
  });

  test("counts in flight: of many at once no more than the daily limit go through", async () => {
    await settledAll(await pay(ownerKey, agent, "50"));
    await setPolicy({ dailyLimit: 10_000_000n });
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => ask(agentKey, stranger, "3")));
    const paid = asked.flatMap((one) => (one.status === "fulfilled" ? [paidTransfer(one.value).row] : []));
    const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason.reason] : []));
    expect(paid.length).toBe(3);
    expect(new Set(refused)).toEqual(new Set(["daily_limit"]));
    expect(await spentToday()).toBe(9_000_000n);
    await settledAll(...paid);
    await settledAll(await pay(agentKey, stranger, "1"));
    await expect(ask(agentKey, stranger, "0.000001")).rejects.toMatchObject({ reason: "daily_limit" });
  });

  test("counts in flight by number, month and recipient: of many at once no more than the limits go through", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    const limits: [PolicyReason, Partial<SpendPolicy>][] = [
      ["payments_per_day", { paymentsPerDay: 2 }],
      ["monthly_limit", { monthlyLimit: 2_000_000n }],
      ["recipient_monthly_limit", { recipientLimits: [{ recipient: "*", perTransaction: null, monthly: 2_000_000n }] }],
    ];
    for (const [reason, policy] of limits) {
      // Without the rule nothing is counted, so each rule starts from zero.
      await setPolicy({});
      await settledAll(await pay(agentKey, stranger, "0.1"));
      await setPolicy({
        ...policy,
        ...(reason === "payments_per_day" && { paymentsPerDay: 2 + (await paymentsToday()) }),
      });
      const asked = await Promise.allSettled(Array.from({ length: 5 }, () => ask(agentKey, stranger, "1")));
      const paid = asked.flatMap((one) => (one.status === "fulfilled" ? [paidTransfer(one.value).row] : []));
      const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason.reason] : []));
      expect([paid.length, new Set(refused)]).toEqual([2, new Set([reason])]);
      await settledAll(...paid);
    }
    await setPolicy({});
  });
});

describe("the payer", () => {
  test("is one's own agent or oneself; every other handle is not_agent_owner, an unknown own one not_found", async () => {
    const from = (ctx: Context, handle: string) => ask(ctx, stranger, "1", { from: handle });
    const { agent: sibling } = await Agent.create(owner);
    const { agent: foreign } = await Agent.create(stranger);
    for (const handle of [handleOf(foreign), `${handleOf(stranger)}/nothing`, handleOf(stranger), "@nobody/here"]) {
      await expect(from(ownerKey, handle)).rejects.toMatchObject({ code: "not_agent_owner" });
    }
    await expect(from(ownerKey, `${handleOf(owner)}/nothing`)).rejects.toMatchObject({ code: "not_found" });
    for (const handle of [handleOf(owner), handleOf(sibling), handleOf(foreign)]) {
      await expect(from(agentKey, handle)).rejects.toMatchObject({ code: "not_agent_owner" });
    }
    await settledAll(await pay(ownerKey, agent, "5", { from: handleOf(owner).toUpperCase() }));
    await settledAll(await pay(agentKey, stranger, "1", { from: handleOf(agent) }));
  });

  test("is never paid publicly when it is an agent: no one could move that", async () => {
    const publicly = (ctx: Context, to: string) => ask(ctx, to, "1", { confidential: false });
    const refused = { code: "invalid_request", param: "confidential" };
    await expect(publicly(ownerKey, handleOf(agent))).rejects.toMatchObject(refused);
    await expect(publicly(await stranger.key(), agent.address)).rejects.toMatchObject(refused);
  });
});

test("an account has so many agents at most", async () => {
  const { accountCaps } = env();
  const { agents: usual } = accountCaps;
  accountCaps.agents = 1;
  await expect(Agent.create(owner)).rejects.toMatchObject({ code: "invalid_request" });
  accountCaps.agents = usual;
});

describe("a customer who does very much at once", () => {
  // Enough of each kind to use up all connections, if one that holds a connection waited for another.
  const MANY = 60;
  const bystander = async () => {
    const { context } = await authenticateKey(`Bearer ${(await createApiKey(stranger)).text}`, REQUEST, "nothing");
    return context.account.id;
  };

  /**
   * Counts the payments that were made. Refused ones must have failed only because no connection or lock was available
   * in time.
   */
  async function countPaid(asked: Promise<unknown>[], isPayment: (index: number) => boolean): Promise<number> {
    const outcomes = await Promise.allSettled(asked);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(databaseAway(outcome.reason)).toBeDefined();
    }
    return outcomes.filter(({ status }, index) => status === "fulfilled" && isPayment(index)).length;
  }

  test("keeps no one else from the database, by 60 changes of a policy beside three payments", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    const { context } = await authenticateKey(`Bearer ${(await createApiKey(agent)).text}`, REQUEST, "secret");
    const asked = onBehalfOf(owner.account.id, () => [
      ...Array.from({ length: 3 }, () => pay(context, stranger, "1")),
      ...Array.from({ length: MANY }, (_, index) =>
        updatePolicy(ownerKey, agent.account.id, { dailyLimit: BigInt(900_000_000 + index) }),
      ),
    ]);
    expect(await bystander()).toBe(stranger.account.id);
    const paid = await countPaid(asked, (index) => index < 3);
    expect(await spentToday()).toBe(BigInt(paid) * 1_000_000n);
    await settledAll(await pay(context, stranger, "1"));
  });

  test("keeps no one else from the database, by releasing a balance lock 60 times beside four payments", async () => {
    const { context } = await authenticateKey(`Bearer ${(await createApiKey(owner)).text}`, REQUEST, "secret");
    const [before] = await limits();
    const asked = onBehalfOf(owner.account.id, () => [
      ...Array.from({ length: 4 }, () => pay(context, stranger, "1")),
      ...Array.from({ length: MANY }, () => releaseBalanceLock(owner.session, { asset: "USDG" })),
    ]);
    expect(await bystander()).toBe(stranger.account.id);
    const paid = await countPaid(asked, (index) => index < 4);
    expect((await limits())[0]).toBe(before - BigInt(paid) * 1_000_000n);
  });
});

/** Returns active hours that exclude the current time. */
function closedHours(): string {
  const hour = (ahead: number) => String((new Date().getUTCHours() + ahead) % 24).padStart(2, "0");
  return `${hour(3)}:00-${hour(5)}:00`;
}
