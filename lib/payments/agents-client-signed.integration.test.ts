import { and, eq } from "drizzle-orm";
import { type Hex, zeroAddress } from "viem";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { releaseBalanceLock, takeBalanceLock } from "@/lib/balances/balance-lock";
import { makeAvailable } from "@/lib/balances/make-available";
import type { Context } from "@/lib/base/context/context";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedFund, SignedPayment, SignedSpend } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { spentOnDay } from "@/lib/policy/spent";
import { Agent } from "@/test/accounts/agent";
import {
  agent,
  bringUpAgents,
  everything,
  handleOf,
  heldOf,
  owner,
  pause,
  setPolicy,
  stranger,
} from "@/test/accounts/agents";
import { keepLock } from "@/test/accounts/keep-lock";
import { type Owner, settled } from "@/test/accounts/owner";
import {
  complete,
  type Party,
  preparePublicSpend,
  prepareSpend,
  requestOf,
  type SpendSigner,
} from "@/test/accounts/prepare-spend";
import { approve } from "./approve";
import { createTransfer } from "./create-transfer";
import { getTransferView } from "./get-transfer-view";
import { paidTransfer } from "./paid-transfer";
import { withdraw } from "./withdraw";

bringUpAgents();

/** Before each test, the agent has an available balance of 50 USDG, all final. */
beforeEach(async () => {
  const { row } = await send(owner.session, agent, await fund(owner, agent, 50_000_000n));
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
});

const paymentKey = () => derivePaymentKey(owner.authority, owner.scope).privateKey;
const byPaymentKey = () => ({ mode: SPEND_MODE.approved, key: paymentKey() });
const byWallet = () => ({ mode: SPEND_MODE.wallet, key: owner.walletKey });
const byAgent = () => ({ mode: SPEND_MODE.agent, key: agent.ownKey });

async function fund(from: Party, to: Party, amount: bigint, signer = paymentKey()): Promise<SignedFund> {
  const request = await requestOf(from, to, amount);
  return complete(
    await planFund({ ...request, toAvailable: await to.decryptAvailable(), toSecret: to.secret }),
    signer,
  );
}

/** Prepares a payment from an account, which has no policy. */
async function transfer(from: Owner, to: Party, amount: bigint, signer = paymentKey()) {
  const request = { ...(await requestOf(from, to, amount)), policyVersion: 0n };
  return complete(await planTransfer({ ...request, recipientViewingKey: to.viewing.publicKey }), signer);
}

const send = (
  ctx: Context,
  to: Party,
  signedDocument: SignedPayment,
  more: { from?: string; lock_token?: string } = {},
) =>
  createTransfer(ctx, {
    to: handleOf(to),
    asset: "USDG",
    confidential: signedDocument.kind !== "release" && signedDocument.kind !== "spend_public",
    client_signed: signedDocument,
    ...more,
  }).then(paidTransfer);

describe("a client-signed move between an owner and its agent", () => {
  test("goes either way, by session or key, whatever policy and pause say, and both sides get the event", async () => {
    await setPolicy({ allowedRecipients: [], dailyLimit: 0n });
    await pause("paused");
    const [before] = (await everything()).availableBalances;
    const back = await send(agent.session, owner, await fund(agent, owner, 20_000_000n));
    expect(back.row).toMatchObject({ kind: "fund", payerId: agent.account.id, clientSigned: true, keyId: null });
    const by = await owner.key();
    const again = await send(by, owner, await fund(agent, owner, 5_000_000n), { from: handleOf(agent) });
    expect(again.row.keyId).toBe(by.keyId);
    const there = await send(by, agent, await fund(owner, agent, 1_000_000n));
    const ids = [back, again, there].map(({ row }) => row.operationId);
    expect(new Set(await settled(...ids))).toEqual(new Set(["confirmed"]));
    expect((await everything()).availableBalances).toEqual([(before ?? 0n) + 24_000_000n, 26_000_000n]);
    const announced = await db()
      .select()
      .from(events)
      .where(and(eq(events.type, "transfer.confirmed"), eq(events.accountId, agent.account.id)));
    expect(announced.find(({ payload }) => payload.transfer_id === back.row.id)?.payload.direction).toBe("sent");
  });

  test("is refused when any of it was changed, signed by the agent, or built on an old state of either side", async () => {
    const document = await fund(owner, agent, 1_000_000n);
    const other = await fund(owner, agent, 2_000_000n);
    const before = await everything();
    const tampered: Partial<SignedFund>[] = [
      { new_available: other.new_available },
      { to_new_available: other.to_new_available },
      { payer_ciphertext: other.payer_ciphertext },
      { to_ciphertext: other.to_ciphertext },
      { proof: other.proof },
      { signature: other.signature },
    ];
    for (const change of tampered) {
      await expect(send(owner.session, agent, { ...document, ...change })).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
    const byAgent = await fund(agent, owner, 1_000_000n, agent.ownKey);
    await expect(send(agent.session, owner, byAgent)).rejects.toMatchObject({ param: "client_signed.signature" });
    expect(await everything()).toEqual(before);
    const built = await fund(agent, owner, 3_000_000n);
    const { row } = await send(owner.session, agent, document);
    await expect(send(owner.session, agent, other)).rejects.toMatchObject({ code: "available_balance_changed" });
    await expect(send(agent.session, owner, built)).rejects.toMatchObject({ code: "available_balance_changed" });
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
  });

  test("is a fund and nothing else, and no one else's money moves by fund", async () => {
    const note = await transfer(owner, agent, 1_000_000n);
    await expect(send(owner.session, agent, note)).rejects.toMatchObject({ param: "client_signed.kind" });
    const back = await prepareSpend(agent, owner, 1_000_000n, byPaymentKey());
    await expect(send(agent.session, owner, back)).rejects.toMatchObject({ param: "client_signed.kind" });
    const { agent: sibling, operationId } = await Agent.create(owner);
    await settled(operationId);
    const across = await fund(agent, sibling, 1_000_000n);
    await expect(send(agent.session, sibling, across)).rejects.toMatchObject({ param: "client_signed.kind" });
  });
});

describe("what an owner prepares from its agent", () => {
  test("is signed by the owner, never by the agent's own key; by the payment key within the limits, by the wallet beyond", async () => {
    await setPolicy({ dailyLimit: 2_000_000n, perTransactionLimit: 2_000_000n, hitlThreshold: 0n });
    const spend = (amount: bigint, signer: SpendSigner) => prepareSpend(agent, stranger, amount, signer);
    await expect(spend(1_000_000n, byAgent())).rejects.toMatchObject({ reason: "approval_threshold" });
    const ofAgent = { ...(await spend(1_000_000n, byPaymentKey())), mode: SPEND_MODE.agent };
    await expect(send(agent.session, stranger, ofAgent)).rejects.toMatchObject({ param: "client_signed.mode" });
    const first = await send(agent.session, stranger, await spend(2_000_000n, byPaymentKey()));
    expect(first.row).toMatchObject({ kind: "transfer", mode: 1, clientSigned: true });
    await expect(spend(1n, byPaymentKey())).rejects.toMatchObject({ reason: "daily_limit" });
    const beyond = await spend(3_000_000n, byWallet());
    const second = await send(await owner.key(), stranger, beyond, { from: handleOf(agent) });
    expect(second.row.mode).toBe(2);
    expect(await settled(first.row.operationId, second.row.operationId)).toEqual(["confirmed", "confirmed"]);
    const available = await agent.decryptAvailable();
    expect([available.limit, spentOnDay(available.counters, "UTC", new Date())]).toEqual([45_000_000n, 5_000_000n]);
    // The ledger counts only payments signed by keys.
    expect(available.window.spent).toBe(2_000_000n);
  });

  test("keeps to pause, asset, recipients and hours, also by the wallet; nothing is recorded otherwise", async () => {
    await pause("paused");
    const before = await everything();
    const refused = async (reason: string) => {
      const document = await prepareSpend(agent, stranger, 1_000_000n, byWallet());
      await expect(send(agent.session, stranger, document)).rejects.toMatchObject({ code: "policy_violation", reason });
    };
    await refused("agent_paused");
    expect(await everything()).toEqual(before);
    await pause("active");
    const hour = (ahead: number) => String((new Date().getUTCHours() + ahead) % 24).padStart(2, "0");
    for (const [reason, policy] of [
      ["asset_not_allowed", { assets: ["ETH"] }],
      ["recipient_not_allowed", { allowedRecipients: ["@nobody-else"] }],
      ["outside_active_hours", { activeHours: `${hour(3)}:00-${hour(5)}:00` }],
    ] as const) {
      await setPolicy(policy);
      const untouched = await everything();
      await refused(reason);
      expect(await everything()).toEqual(untouched);
    }
    await setPolicy({});
    const { row } = await send(
      agent.session,
      stranger,
      await prepareSpend(agent, stranger, 1_000_000n, byPaymentKey()),
    );
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
  });

  test("is out of date once the policy has changed, by whose key it may be signed, and is refused when any of it was changed", async () => {
    const [document, second] = [
      await prepareSpend(agent, stranger, 1_000_000n, byPaymentKey()),
      await prepareSpend(agent, stranger, 2_000_000n, byWallet()),
    ];
    const before = await everything();
    const tampered: Partial<SignedSpend>[] = [
      { note: second.note },
      { new_available: second.new_available },
      { encrypted_amount: second.encrypted_amount },
      { day: document.day + 1 },
      { day: document.day - 2 },
      { policy_commitment: second.note },
      { proof: second.proof },
      { signature: second.signature },
    ];
    for (const change of tampered) {
      await expect(send(agent.session, stranger, { ...document, ...change })).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
    const plain = await transfer(owner, stranger, 1_000_000n);
    const asAgent = { ...plain, account: agent.address, old_available: document.old_available };
    await expect(send(agent.session, stranger, asAgent)).rejects.toMatchObject({ param: "client_signed.kind" });
    expect(await everything()).toEqual(before);
    await setPolicy({ dailyLimit: 900_000_000n });
    for (const old of [document, second]) {
      await expect(send(agent.session, stranger, old)).rejects.toMatchObject({
        code: "available_balance_changed",
        param: "client_signed.policy_version",
      });
    }
  });

  test("is refused from an agent's key, and from another payer than the document's", async () => {
    const document = await prepareSpend(agent, stranger, 1_000_000n, byPaymentKey());
    await expect(send(await agent.key(), stranger, document)).rejects.toMatchObject({ code: "key_forbidden" });
    await expect(send(owner.session, stranger, document)).rejects.toMatchObject({ param: "client_signed.account" });
    const own = await transfer(owner, stranger, 1_000_000n);
    await expect(send(agent.session, stranger, own)).rejects.toMatchObject({ param: "client_signed.account" });
    const foreign = { code: "not_agent_owner" };
    const from = { from: handleOf(agent) };
    await expect(send(await stranger.key(), stranger, document, from)).rejects.toMatchObject(foreign);
  });
});

describe("what an owner signed for a payment that awaits approval", () => {
  const held = async (amount: string): Promise<string> => {
    const input = { to: handleOf(stranger), amount, asset: "USDG" as const, confidential: true };
    return heldOf(await createTransfer(await agent.key(), input)).id;
  };
  const right = () => prepareSpend(agent, stranger, 11_000_000n, byPaymentKey());
  const approved = async (ctx: Context, id: string, signedDocument: SignedPayment) => {
    const { decided } = await approve(ctx, id, { client_signed: signedDocument });
    if (decided.status !== "approved") throw new Error("it was approved");
    return (await getTransferView(owner.session, decided.transfer.id)).row;
  };

  test("pays it, by session and by key, once; one that pays something else is refused by its field and leaves it held", async () => {
    await setPolicy({ hitlThreshold: 0n });
    const [first, second] = [await held("11"), await held("11")];
    const document = await right();
    const before = await everything();
    const wrong: [param: string, signedDocument: SignedPayment][] = [
      ["client_signed.to", await prepareSpend(agent, owner, 11_000_000n, byPaymentKey())],
      ["client_signed.kind", await preparePublicSpend(agent, stranger, 11_000_000n, byPaymentKey())],
      ["client_signed.account", { ...document, account: owner.address }],
      ["client_signed.asset", { ...document, asset: zeroAddress }],
      ["client_signed.to", { ...document, to: owner.address }],
      ["client_signed.signature", { ...document, signature: `0x${"11".repeat(64)}1b` }],
    ];
    for (const [param, signedDocument] of wrong) {
      const refused = { code: "invalid_request", param };
      await expect(approve(owner.session, first, { client_signed: signedDocument }), param).rejects.toMatchObject(
        refused,
      );
    }
    expect(await everything()).toEqual(before);
    const rows = [await approved(owner.session, first, document)];
    // The next one is built on the state that the first left.
    const [key, next] = [await owner.key(), await right()];
    await expect(approve(key, first, { client_signed: next })).rejects.toMatchObject({ code: "transaction_not_found" });
    rows.push(await approved(key, second, next));
    expect(rows).toMatchObject([0, 1].map(() => ({ kind: "transfer", payerId: agent.account.id, clientSigned: true })));
    expect(await settled(...rows.map(({ operationId }) => operationId))).toEqual(["confirmed", "confirmed"]);
  });

  test("keeps to pause and policy, and to the newest available balance, and leaves it held", async () => {
    await setPolicy({ hitlThreshold: 0n });
    const [id, other] = [await held("11"), await held("11")];
    const document = await right();
    await pause("paused");
    const paused = { code: "policy_violation", reason: "agent_paused" };
    await expect(approve(owner.session, id, { client_signed: document })).rejects.toMatchObject(paused);
    await pause("active");
    await setPolicy({ hitlThreshold: 0n, allowedRecipients: ["@nobody-else"] });
    const elsewhere = { code: "policy_violation", reason: "recipient_not_allowed" };
    await expect(approve(owner.session, id, { client_signed: document })).rejects.toMatchObject(elsewhere);
    await setPolicy({ hitlThreshold: 0n, perTransactionLimit: 1_000_000n });
    await expect(approve(owner.session, id, { client_signed: document })).rejects.toMatchObject({
      code: "available_balance_changed",
    });
    // Neither the service nor the owner's device exceeds a limit.
    await expect(right()).rejects.toMatchObject({ reason: "per_transaction_limit" });
    await setPolicy({ hitlThreshold: 0n });
    const [late, now] = [await right(), await right()];
    const row = await approved(owner.session, other, now);
    await expect(approve(owner.session, id, { client_signed: late })).rejects.toMatchObject({
      code: "available_balance_changed",
    });
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    expect(await settled((await approved(owner.session, id, await right())).operationId)).toEqual(["confirmed"]);
  });
});

describe("an owner's client at its agent's available balance", () => {
  test("withdraws by its wallet to any address whatever the policy says, but to no agent", async () => {
    await setPolicy({ allowedRecipients: [] });
    await pause("paused");
    const release = (to: Party, amount: bigint, signer: SpendSigner) => preparePublicSpend(agent, to, amount, signer);
    const { row } = await withdraw(agent.session, { client_signed: await release(owner, 10_000_000n, byWallet()) });
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    expect((await agent.decryptAvailable()).limit).toBe(40_000_000n);
    const { agent: sibling } = await Agent.create(owner);
    const lost = await release(sibling, 1_000_000n, byWallet());
    await expect(withdraw(agent.session, { client_signed: lost })).rejects.toMatchObject({ param: "confidential" });
    const alone = await release(owner, 1_000_000n, { ...byWallet(), key: agent.ownKey });
    await expect(withdraw(agent.session, { client_signed: alone })).rejects.toMatchObject({
      param: "client_signed.signature",
    });
    // For the ledger, a withdrawal by a key is a payment. This one names no recipient.
    await pause("active");
    const byKey = await release(owner, 1_000_000n, byPaymentKey());
    await expect(withdraw(agent.session, { client_signed: byKey })).rejects.toMatchObject({
      code: "policy_violation",
      reason: "recipient_not_allowed",
    });
  });

  test("makes what others paid it available, signed by the owner's wallet alone; the agent's payments wait for its lock", async () => {
    const { row } = await send(owner.session, stranger, await transfer(owner, stranger, 30_000_000n));
    await settled(row.operationId);
    await settled(await stranger.makeAvailable());
    const key = await stranger.key();
    const gift = { to: handleOf(agent), amount: "7", asset: "USDG" as const, confidential: true };
    const paid = paidTransfer(await createTransfer(key, gift));
    expect(paid.row.kind).toBe("transfer");
    await settled(paid.row.operationId);
    expect((await agent.openNotes()).map(({ amount }) => amount)).toEqual([7_000_000n]);
    const { token } = await takeBalanceLock(agent.session, { asset: "USDG" });
    await keepLock(token);
    const agentKey = await agent.key();
    const waiting = createTransfer(agentKey, { ...gift, to: handleOf(stranger), amount: "1" });
    const signedDocument = await agent.prepareMakeAvailable();
    const request = documentCall(owner.scope, signedDocument);
    const signed = async (signer: Hex) => ({ ...signedDocument, signature: await keySigner(signer)(request) });
    for (const signer of [agent.ownKey, paymentKey()]) {
      await expect(
        makeAvailable(agent.session, { client_signed: await signed(signer), lock_token: token }),
      ).rejects.toMatchObject({ param: "client_signed.signature" });
    }
    const { id } = await makeAvailable(agent.session, { client_signed: signedDocument, lock_token: token });
    // Like a client, again while the waiting payment looks at the lock.
    await vi.waitFor(() => releaseBalanceLock(agent.session, { asset: "USDG" }), { timeout: 60_000 });
    const after = paidTransfer(await waiting);
    expect(await settled(id, after.row.operationId)).toEqual(["confirmed", "confirmed"]);
    expect((await agent.decryptAvailable()).limit).toBe(56_000_000n);
  });
});
