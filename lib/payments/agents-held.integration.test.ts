import { eq } from "drizzle-orm";
import { decodeFunctionData } from "viem";
import { describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { simulatePolicy } from "@/lib/agents/simulate-policy";
import type { KeyContext } from "@/lib/base/context/context";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { requestTag } from "@/lib/ledger/crypto/request-tag";
import { openHeld } from "@/lib/ledger/seal/held";
import { openPayerCopy } from "@/lib/ledger/seal/payer-copy";
import type { Agent } from "@/test/accounts/agent";
import {
  agent,
  agentKey,
  ask,
  bringUpAgents,
  CHAIN,
  everything,
  handleOf,
  heldOf,
  limits,
  owner,
  ownerKey,
  pay,
  setPolicy,
  settledAll,
  spentToday,
  stranger,
} from "@/test/accounts/agents";
import { Owner, settled } from "@/test/accounts/owner";
import { approve } from "./approve";
import { getTransferView } from "./get-transfer-view";
import type { CreateTransferInput } from "./schema";
import { tryTransfer } from "./try-transfer";

bringUpAgents();

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
    const payment = { id: row.id, agent: agent.address, asset: row.asset };
    const open = (secret: Uint8Array) => openHeld(secret, agent.secret, agent.scope, payment, fromHex(row.sealed));
    const { secret: heldSecret } = deriveHeldKey(owner.secret, owner.scope);
    expect(await open(heldSecret)).toMatchObject({ to: stranger.address, amount: 2_000_001n, memo: "a server" });
    await expect(open(deriveHeldKey(agent.secret, agent.scope).secret)).rejects.toThrow();
    const announced = await db().select().from(events).where(eq(events.accountId, agent.account.id));
    expect(announced.filter(({ payload }) => payload.transaction_id === held.id).map(({ type }) => type)).toEqual([
      "agent.transaction.pending_approval",
    ]);
    const audit = await db().select().from(auditLog).where(eq(auditLog.target, held.id));
    expect(audit.map(({ action, actorType }) => [action, actorType])).toEqual([["agent.transaction.held", "agent"]]);
    const text = JSON.stringify([row, announced, audit], (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    expect(text).not.toMatch(/2000001|2\.000001|a server/);
    // A payment of exactly the threshold is the agent's to decide.
    await settledAll(await pay(agentKey, stranger, "2"));
  });

  test("is approved by a key in the owner's name: the ledger counts it, and it keeps the tag of what the agent asked", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 2_000_000n, perTransactionLimit: 4_000_000n, dailyLimit: 6_000_000n });
    const asked = { ...agentKey, idempotencyKey: "invoice-7" };
    const first = heldOf(await ask(asked, stranger, "3"));
    const second = heldOf(await ask(agentKey, stranger, "3.5"));
    const { decided } = await approve(ownerKey, first.id, {});
    if (decided.status !== "approved") throw new Error("it was approved");
    const { row } = await getTransferView(owner.session, decided.transfer.id);
    expect(row).toMatchObject({ kind: "transfer", mode: 1, payerId: agent.account.id, keyId: ownerKey.keyId });
    const [operation] = await db().select().from(operations).where(eq(operations.id, row.operationId));
    const call = decodeFunctionData({ abi: ledgerAbi, data: operation?.data ?? "0x" });
    expect(call.args?.[0]).toMatchObject({ mode: 1 });
    await settledAll(row);
    const { limit, window } = await agent.openBudget();
    expect([limit, window.spent]).toEqual([7_000_000n, 3_000_000n]);
    const ref = { scope: agent.scope, account: agent.address, asset: row.asset, commitment: hexToWord(row.newWord) };
    const copy = await openPayerCopy(owner.viewing.secret, ref, fromHex(row.payerCiphertext));
    expect(copy?.tag).toEqual(requestTag(agent.secret, agent.scope, agent.address, "invoice-7"));
    // Approved payments count towards the daily limit, in the service and on the ledger.
    await expect(approve(ownerKey, second.id, {})).rejects.toMatchObject({ reason: "daily_limit" });
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
    expect(await everything()).toEqual(before);
    // Funds are not checked. An account, and moves between it and its agents, have no policy.
    await setPolicy({});
    const changed = await everything();
    expect((await dry(agentKey, stranger, "900")).decision.outcome).toBe("allowed");
    for (const free of [dry(ownerKey, stranger, "1"), dry(ownerKey, agent, "1")]) {
      expect((await free).decision).toEqual({ outcome: "allowed", rules: [] });
    }
    await expect(dry(agentKey, agent, "1")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(tryTransfer(agentKey, { ...input("@nobody-here") })).rejects.toMatchObject({
      code: "recipient_not_found",
    });
    expect(await everything()).toEqual(changed);
  });

  test("names the ledger's reason: a handle that stands for another address is refused until the policy is set again", async () => {
    const newcomer = await Owner.create(CHAIN);
    await settled(await newcomer.enroll());
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ allowedRecipients: [handleOf(stranger)] });
    const [name, other] = [stranger.account.handle, newcomer.account.handle];
    const nameThem = (ofStranger: string, ofNewcomer: string) =>
      db().transaction(async (tx) => {
        const rename = ({ account }: Owner, to: string) =>
          tx.update(accounts).set({ handle: to }).where(eq(accounts.id, account.id));
        await rename(stranger, "moving");
        await rename(newcomer, ofNewcomer);
        await rename(stranger, ofStranger);
      });
    await nameThem(other, name);
    try {
      const refused = { outcome: "denied", reason: "recipient_not_allowed" };
      expect((await dry(agentKey, stranger, "1")).decision).toMatchObject(refused);
      const simulated = { to: handleOf(stranger), amount: 1_000_000n, asset: "USDG" as const };
      expect(await simulatePolicy(ownerKey, agent.account.id, { payments: [simulated] })).toMatchObject([refused]);
      await expect(ask(agentKey, stranger, "1")).rejects.toMatchObject({ reason: "recipient_not_allowed" });
      await setPolicy({ allowedRecipients: [handleOf(stranger), newcomer.address] });
      expect((await dry(agentKey, stranger, "1")).decision.outcome).toBe("allowed");
      await settledAll(await pay(agentKey, stranger, "1"));
      expect((await newcomer.openNotes()).map(({ amount }) => amount)).toEqual([1_000_000n]);
    } finally {
      await nameThem(name, other);
    }
  });
});

const input = (to: string) => ({ to, amount: "1", asset: "USDG" as const, confidential: true });
