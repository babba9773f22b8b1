import { asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { endAgent } from "@/lib/agents/end-agent";
import { pauseAgent, resumeAgent } from "@/lib/agents/set-status";
import { updatePolicy } from "@/lib/agents/update-policy";
import type { KeyContext } from "@/lib/base/context/context";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { readParty } from "@/lib/chain/registry";
import { planAgentSigners } from "@/lib/ledger/authority/plan-agent-signers";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { indexNext } from "@/lib/settlement/index-next";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { seconds } from "@/test/accounts/available-holder";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { Owner, settled } from "@/test/accounts/owner";
import { preparePublicSpend } from "@/test/accounts/prepare-spend";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { crash } from "@/test/chain/crash";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";
import { withdraw } from "./withdraw";

const CHAIN = 46630;
let services: LocalServices;
let owner: Owner;
let stranger: Owner;
let agent: Agent;
let ownerKey: KeyContext;
let agentKey: KeyContext;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    [owner, stranger] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
    await settled(await stranger.enroll());
  });
  ownerKey = await owner.key();
});

afterAll(() => services?.stop());

/**
 * Before each test: an agent with an available balance of 50 USDG and the first version of its policy, all final. No
 * worker runs.
 */
beforeEach(async () => {
  await awayFromMidnight();
  crash.beforeBroadcast = false;
  await withWorker(async () => {
    const created = await Agent.create(owner);
    agent = created.agent;
    agentKey = await agent.key();
    const funded = await pay(ownerKey, agent, "50");
    expect(await settled(created.operationId, funded.operationId)).toEqual(["confirmed", "confirmed"]);
  });
});

const pay = async (by: KeyContext, to: Owner | Agent, amount: string) => {
  const input = { to: `@${to.account.handle}`, amount, asset: "USDG", confidential: true } as const;
  return paidTransfer(await createTransfer(by, input)).row;
};

const patch = (change: Partial<SpendPolicy>) => updatePolicy(ownerKey, agent.account.id, change);

/** Returns the operation that sets the agent's newest policy on the ledger. */
async function setBy(): Promise<string> {
  const [row] = await db().select().from(spendPolicies).where(eq(spendPolicies.holderId, agent.account.id));
  return row?.setBy ?? "none";
}

/** Sets a policy of the agent by its owner's wallet directly on the ledger, without the service. */
async function setAlone(policy: Partial<SpendPolicy>, version: bigint): Promise<void> {
  const next = { policy: { ...GENEROUS, ...policy }, paused: false, version };
  const { document } = await signPolicyAs(owner, agent.address, next);
  await sendFromFaucet(CHAIN, authorityCalldata(document));
}

const versionsOf = (ids: string[]) =>
  db()
    .select({ version: operations.policyVersion })
    .from(operations)
    .where(inArray(operations.id, ids))
    .orderBy(asc(operations.createdAt), asc(operations.id));

const statusesOf = async (ids: string[]) => {
  const rows = await db().select().from(operations).where(inArray(operations.id, ids));
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};

const notInForce = { code: "policy_not_in_force" };

describe("a change of policy with payments before and behind it", () => {
  test("invariant 24: takes effect at once: each payment is made under its own version, in the order they were accepted", async () => {
    crash.beforeBroadcast = true;
    const first = await pay(agentKey, stranger, "3");
    await patch({ dailyLimit: 5_000_000n });
    const changed = await setBy();
    await expect(pay(agentKey, stranger, "2.000001")).rejects.toMatchObject({ reason: "daily_limit" });
    const second = await pay(agentKey, stranger, "2");
    crash.beforeBroadcast = false;
    const ids = [first.operationId, changed, second.operationId];
    expect(await versionsOf(ids)).toEqual([{ version: 1n }, { version: 1n }, { version: 2n }]);
    await withWorker(async () => expect(new Set(await settled(...ids))).toEqual(new Set(["confirmed"])));
    expect((await agent.decryptAvailable()).window.spent).toBe(5_000_000n);
  });

  test("invariant 24: that gets to the ledger before what was signed earlier fails that, and all built on it, within one final block", async () => {
    crash.beforeBroadcast = true;
    const first = await pay(agentKey, stranger, "3");
    await patch({ dailyLimit: 40_000_000n });
    const changed = await setBy();
    const second = await pay(agentKey, stranger, "4");
    const [operation] = await db().select().from(operations).where(eq(operations.id, changed));
    await sendFromFaucet(CHAIN, operation?.data ?? "0x");
    await indexNext(CHAIN);
    // No worker has run, and no deadline is near.
    expect(await statusesOf([first.operationId, changed, second.operationId])).toEqual([
      "failed",
      "confirmed",
      "failed",
    ]);
    crash.beforeBroadcast = false;
    expect(await agent.decryptAvailable()).toMatchObject({ limit: 50_000_000n, window: { spent: 0n } });
    const again = await pay(agentKey, stranger, "5");
    await withWorker(async () => expect(await settled(again.operationId)).toEqual(["confirmed"]));
    expect((await agent.decryptAvailable()).limit).toBe(45_000_000n);
  });

  test("invariant 24: that fails on the ledger stops the agent, and nothing else, until its owner signs again", async () => {
    crash.beforeBroadcast = true;
    await patch({ dailyLimit: 40_000_000n });
    const failed = await setBy();
    const behind = await pay(agentKey, stranger, "1");
    // Another device of the owner was faster.
    await setAlone({ dailyLimit: 30_000_000n }, 2n);
    await indexNext(CHAIN);
    expect(await statusesOf([failed, behind.operationId])).toEqual(["failed", "failed"]);
    crash.beforeBroadcast = false;
    await expect(pay(agentKey, stranger, "1")).rejects.toMatchObject(notInForce);
    await expect(patch({ perTransactionLimit: 1_000_000n })).rejects.toMatchObject(notInForce);
    await withWorker(async () => {
      // Payments that need no policy continue.
      const more = await pay(ownerKey, agent, "1");
      const byWallet = { mode: SPEND_MODE.wallet, key: owner.walletKey };
      await settled(more.operationId);
      const signed = await preparePublicSpend(agent, owner, 1_000_000n, byWallet);
      const { row } = await withdraw(agent.session, { client_signed: signed });
      expect(await settled(more.operationId, row.operationId)).toEqual(["confirmed", "confirmed"]);
      // Names every field, so the previous values don't matter.
      await patch({ ...GENEROUS, limits: {}, dailyLimit: 40_000_000n });
      const again = await pay(agentKey, stranger, "2");
      expect(await settled(await setBy(), again.operationId)).toEqual(["confirmed", "confirmed"]);
    });
  });

  test("by its owner alone voids what is under way at once, and no payment passes under the old one", async () => {
    crash.beforeBroadcast = true;
    const first = await pay(agentKey, stranger, "3");
    await setAlone({ perTransactionLimit: 1_000_000n }, 2n);
    // Before the service has indexed it, the newest block shows it.
    await expect(pay(agentKey, stranger, "3")).rejects.toMatchObject(notInForce);
    await indexNext(CHAIN);
    expect(await statusesOf([first.operationId])).toEqual(["failed"]);
    await expect(pay(agentKey, stranger, "1")).rejects.toMatchObject(notInForce);
  });
});

describe("a pause", () => {
  test("and a resume are versions too: between them nothing passes, and what comes behind waits for both", async () => {
    await pauseAgent(ownerKey, agent.account.id);
    await expect(pay(agentKey, stranger, "1")).rejects.toMatchObject({ reason: "agent_paused" });
    await resumeAgent(ownerKey, agent.account.id);
    const after = await pay(agentKey, stranger, "1");
    expect(await versionsOf([after.operationId])).toEqual([{ version: 3n }]);
    await withWorker(async () => expect(await settled(after.operationId)).toEqual(["confirmed"]));
  });
});

describe("an agent that has ended", () => {
  test("pays nothing more by its key or with approval, and its owner's wallet takes its money back", async () => {
    const party = await readParty(CHAIN, agent.address);
    if (!party) throw new Error("the agent has no record");
    const now = seconds(0);
    const [draft] = planAgentSigners(owner.address, [party], () => null, now, seconds(3_600));
    if (!draft) throw new Error("there is nothing to end");
    const paymentKey = keySigner(derivePaymentKey(owner.authority, owner.scope).privateKey);
    const byPaymentKey = { mode: SPEND_MODE.approved, key: derivePaymentKey(owner.authority, owner.scope).privateKey };
    const approved = await preparePublicSpend(agent, stranger, 1_000_000n, byPaymentKey);
    const { operation } = await endAgent(
      owner.session,
      agent.account.id,
      await signAuthority(owner.scope, draft, paymentKey),
    );
    const ended = { code: "policy_violation", reason: "agent_paused", message: expect.stringContaining("ended") };
    await withWorker(async () => {
      expect(await settled(operation.id)).toEqual(["confirmed"]);
      await expect(pay(agentKey, stranger, "1")).rejects.toMatchObject(ended);
      await expect(withdraw(agent.session, { client_signed: approved })).rejects.toMatchObject(ended);
      const byWallet = { mode: SPEND_MODE.wallet, key: owner.walletKey };
      const signed = await preparePublicSpend(agent, owner, 50_000_000n, byWallet);
      const { row } = await withdraw(agent.session, { client_signed: signed });
      expect(await settled(row.operationId)).toEqual(["confirmed"]);
    });
    expect((await agent.decryptAvailable()).limit).toBe(0n);
  });
});
