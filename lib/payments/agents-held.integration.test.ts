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
import { env } from "@/lib/base/env";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { requestTag } from "@/lib/ledger/crypto/request-tag";
import { decryptHeld } from "@/lib/ledger/encrypted/held";
import { decryptPayerCopy } from "@/lib/ledger/encrypted/payer-copy";
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
  pause,
  pay,
  setPolicy,
  settledAll,
  spentToday,
  stranger,
} from "@/test/accounts/agents";
import { callerWith, sessionCaller } from "@/test/accounts/api-caller";
import { createApiKey } from "@/test/accounts/api-key";
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
    expect(held.expiresAt.getTime() - held.requestedAt.getTime()).toBe(env().approvalWindowSeconds * 1_000);
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
    const open = (secret: Uint8Array) =>
      decryptHeld(secret, agent.secret, agent.scope, payment, fromHex(row.encrypted));
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
    const { limit, window } = await agent.decryptAvailable();
    expect([limit, window.spent]).toEqual([7_000_000n, 3_000_000n]);
    const ref = {
      scope: agent.scope,
      account: agent.address,
      asset: row.asset,
      commitment: hexToCommitment(row.newCommitment),
    };
    const copy = await decryptPayerCopy(owner.viewing.secret, ref, fromHex(row.payerCiphertext));
    expect(copy?.tag).toEqual(requestTag(agent.secret, agent.scope, agent.address, "invoice-7"));
    // Approved payments count towards the daily limit, in the service and on the ledger.
    await expect(approve(ownerKey, second.id, {})).rejects.toMatchObject({ reason: "daily_limit" });
  });

  test("is held and approved by the routes: once under a key, shown without amount and memo, and then nothing is left to decide", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 2_000_000n });
    const key = await createApiKey(owner);
    const [byOwner, byAgent] = [callerWith(key.text), callerWith((await createApiKey(agent)).text)];
    const bySession = await sessionCaller(owner);
    const secret = /3[.,]?345678|canary-memo/;
    const body = { to: handleOf(stranger), amount: "3.345678", memo: "canary-memo" };
    const headers = { "idempotency-key": `held-${agent.account.id}` };
    // A dry run leaves the key free.
    const tried = await byAgent("POST", "/v1/transfers?dry_run=true", body, headers);
    expect([tried.status, tried.json.outcome]).toEqual([200, "held"]);
    const [first, again] = [
      await byAgent("POST", "/v1/transfers", body, headers),
      await byAgent("POST", "/v1/transfers", body, headers),
    ];
    const shown = first.json;
    expect([first.status, shown]).toEqual([
      202,
      {
        ...{ transaction_id: expect.stringMatching(/^txn_[0-9A-Z]{26}$/), status: "pending_approval" },
        ...{ agent: handleOf(agent), to: handleOf(stranger), confidential: true },
        ...{ requested_at: expect.any(String), expires_at: expect.any(String) },
        ...{ reference: null, refund_of: null, payment_request: null },
      },
    ]);
    expect([again.status, again.json]).toEqual([202, shown]);
    const id = String(shown.transaction_id);
    const path = `/agents/transactions/${id}`;
    const encrypted = {
      ...{ asset: "USDG", confidential: true, recipient: stranger.address, secret_version: 1 },
      ciphertext: expect.stringMatching(/^0x[0-9a-f]+$/),
    };
    const texts = [first.text];
    for (const [call, query, expected, decided] of [
      [byOwner, "", shown, { decided_at: null }],
      [byAgent, "", shown, { decided_at: null }],
      [bySession, "", shown, { decided_at: null }],
      [byOwner, "?include=encrypted", { ...shown, encrypted }, { decided_at: null, decided_by: null }],
      [bySession, "?include=encrypted", { ...shown, encrypted }, { decided_at: null, decided_by: null }],
    ] as const) {
      const list = await call("GET", `/v1/agents/transactions/pending${query}`);
      expect((list.json.pending as object[]).filter((one) => JSON.stringify(one).includes(id))).toEqual([expected]);
      const one = await call("GET", `/v1${path}${query}`);
      expect(one.json).toEqual({ ...expected, ...decided });
      texts.push(list.text, one.text);
    }
    const once = { "idempotency-key": `approve-${id}` };
    const approved = await byOwner("POST", `/v1${path}/approve`, undefined, once);
    expect([approved.status, approved.json]).toMatchObject([200, { transaction_id: id, status: "approved" }]);
    const same = await byOwner("POST", `/v1${path}/approve`, undefined, once);
    expect([same.status, same.text]).toEqual([200, approved.text]);
    for (const verb of ["approve", "reject"]) {
      const { status, json } = await byOwner("POST", `/v1${path}/${verb}`);
      expect([status, json.error?.code]).toEqual([404, "transaction_not_found"]);
    }
    const { decided_at, transfer_id, tx_hash } = approved.json;
    const after = await byAgent("GET", `/v1${path}`);
    expect(after.json).toMatchObject({ status: "approved", decided_at, transfer_id, tx_hash });
    expect((await byAgent("GET", "/v1/agents/transactions/pending")).json.pending).toEqual([]);
    const { json: list } = await byAgent("GET", "/v1/transfers?direction=sent");
    expect(list.transfers).toMatchObject([{ transfer_id, from: handleOf(agent), to: handleOf(stranger) }]);
    const log = await byOwner("GET", `/v1/audit-log?target=${id}`);
    expect(log.json.entries).toMatchObject([
      { action: "agent.transaction.approved", actor: { type: "key", id: key.id }, after: { transfer_id } },
      { action: "agent.transaction.held", actor: { type: "agent", label: handleOf(agent) } },
    ]);
    const events = await byOwner("GET", "/v1/events?limit=100");
    const mine = (events.json.events as { event: string; transaction_id?: string }[]).filter(
      ({ transaction_id }) => transaction_id === id,
    );
    expect(mine.map(({ event }) => event)).toEqual([
      "agent.transaction.approved",
      "agent.transaction.pending_approval",
    ]);
    for (const text of [...texts, approved.text, after.text, log.text, events.text]) expect(text).not.toMatch(secret);
  });

  test("is approved as what it is: to its owner a payment, in public a public one", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 0n });
    const nowhere = "0x00000000000000000000000000000000000a11ce";
    const kinds = [];
    for (const id of [
      heldOf(await ask(agentKey, owner, "3")).id,
      heldOf(await ask(agentKey, nowhere, "2", { confidential: false })).id,
    ]) {
      const { row } = await getTransferView(owner.session, await approvedAs(id));
      await settledAll(row);
      kinds.push([row.kind, row.recipientAddress]);
    }
    expect(kinds).toEqual([
      ["transfer", owner.address],
      ["release", nowhere],
    ]);
  });

  test("stays held while pause, policy or money forbid it; a higher threshold does not pay it", async () => {
    await settledAll(await pay(ownerKey, agent, "10"));
    await setPolicy({ hitlThreshold: 0n });
    const [first, second] = [heldOf(await ask(agentKey, stranger, "6")), heldOf(await ask(agentKey, stranger, "6.5"))];
    const refused = async (error: object) => {
      const before = await everything();
      await expect(approve(ownerKey, first.id, {})).rejects.toMatchObject(error);
      expect(await everything()).toEqual(before);
      const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, first.id));
      expect(row).toMatchObject({ status: "pending_approval", decidedAt: null });
    };
    await pause("paused");
    await refused({ code: "policy_violation", reason: "agent_paused" });
    await pause("active");
    for (const [reason, policy] of [
      ["recipient_not_allowed", { allowedRecipients: ["@somebody-else"] }],
      ["per_transaction_limit", { perTransactionLimit: 1_000_000n }],
    ] as const) {
      await setPolicy({ hitlThreshold: 0n, ...policy });
      await refused({ code: "policy_violation", reason });
    }
    await setPolicy({});
    await settledAll((await getTransferView(owner.session, await approvedAs(second.id))).row);
    await refused({ code: "insufficient_balance" });
    await settledAll(await pay(ownerKey, agent, "5"));
    await approvedAs(first.id);
  });

  /** Approves by key. Returns the transfer's id. */
  async function approvedAs(id: string): Promise<string> {
    const { decided } = await approve(ownerKey, id, {});
    if (decided.status !== "approved") throw new Error("it was approved");
    return decided.transfer.id;
  }

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
