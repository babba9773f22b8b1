import { desc, eq } from "drizzle-orm";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { GENEROUS } from "@/test/accounts/agent";
import { agent, bringUpAgents, CHAIN, owner, ownerKey, settledAll, stranger } from "@/test/accounts/agents";
import { policyInForce } from "@/test/accounts/policy-in-force";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { getPolicy } from "./get-policy";
import { readOwnersPolicy } from "./owners-policy";
import { readPolicy } from "./policy-under-way";
import { updatePolicy } from "./update-policy";

bringUpAgents();

const TIGHT: SpendPolicy = { ...GENEROUS, perTransactionLimit: 5_000_000n };
const paymentKeyOf = () => derivePaymentKey(owner.secret, owner.scope).privateKey;

/** Signs the whole policy, over its current version or over another. */
async function sign(policy: SpendPolicy, { key = owner.walletKey, over }: { key?: `0x${string}`; over?: bigint } = {}) {
  const { policyVersion } = await readPolicy(CHAIN, agent.account);
  return signPolicyAs(owner, agent.address, { policy, paused: false, version: (over ?? policyVersion) + 1n }, key);
}

const row = async () => {
  const [found] = await db().select().from(spendPolicies).where(eq(spendPolicies.holderId, agent.account.id));
  if (!found) throw new Error("the agent has a policy");
  return found;
};
const sent = async () =>
  (await db().select({ id: operations.id }).from(operations).where(eq(operations.account, agent.address))).length;
const onLedger = async () => {
  await settledAll({ operationId: (await row()).setBy ?? "" });
  expect((await readOwnersPolicy(owner.session, agent.account.id)).inForce).toBe("yes");
};
const inForce = () => policyInForce(CHAIN, agent.account);

let before: Awaited<ReturnType<typeof row>>;
beforeEach(async () => {
  before = await row();
});

async function refused(change: Partial<SpendPolicy>, signed?: Awaited<ReturnType<typeof sign>>): Promise<void> {
  const count = await sent();
  await expect(updatePolicy(owner.session, agent.account.id, change, signed)).rejects.toMatchObject({
    code: "key_forbidden",
    param: "signed",
  });
  expect([await row(), await sent()]).toEqual([before, count]);
}

test("a session loosens no policy unless the owner's wallet signed exactly that policy, over the one that is there", async () => {
  const wider = { perTransactionLimit: GENEROUS.perTransactionLimit + 1n };
  const after = { ...GENEROUS, ...wider };
  await refused(wider);
  await refused(wider, await sign(after, { key: paymentKeyOf() }));
  await refused(wider, await sign(after, { key: generatePrivateKey() }));
  await refused(wider, await sign(after, { over: 0n }));
  await refused(wider, await sign({ ...after, perTransactionLimit: after.perTransactionLimit - 1n }));
  const signed = await sign(after);
  await refused(wider, { ...signed, salt: `0x${"11".repeat(32)}` });
  await refused({ ...wider, allowedRecipients: [stranger.address] }, { ...signed, resolved: [stranger.address] });
});

test("a signed change is saved, kept in the audit log and put on the ledger; its signature is good for one time", async () => {
  const wider = { perTransactionLimit: GENEROUS.perTransactionLimit + 1n };
  const signed = await sign({ ...GENEROUS, ...wider });
  const { policy } = await updatePolicy(owner.session, agent.account.id, wider, signed);
  expect(policy.perTransactionLimit).toBe(wider.perTransactionLimit);
  const [entry] = await db()
    .select()
    .from(auditLog)
    .where(eq(auditLog.target, agent.account.id))
    .orderBy(desc(auditLog.position));
  const { signature, document_hash } = signed.document;
  expect(entry).toMatchObject({ action: "agent.policy.updated", after: { set_policy: { signature, document_hash } } });
  await onLedger();
  before = await row();
  await refused(wider, signed);
});

test("what only tightens is signed by the wallet or the payment key", async () => {
  const tighter = { perTransactionLimit: TIGHT.perTransactionLimit };
  await updatePolicy(owner.session, agent.account.id, tighter, await sign(TIGHT, { key: paymentKeyOf() }));
  await onLedger();
  expect((await inForce()).document.assets.map(({ perPayment }) => perPayment)).toContain(TIGHT.perTransactionLimit);
});

test("an API key changes a policy as the contract has it: at once, and the ledger's before any payment under it", async () => {
  const view = await updatePolicy(ownerKey, agent.account.id, { perTransactionLimit: 9_000_000n });
  expect(view.policy.perTransactionLimit).toBe(9_000_000n);
  // The `setPolicy` may still be pending; then payments must follow it.
  const { follows, policyVersion } = await inForce();
  expect(policyVersion).toBe((await row()).version);
  if (follows.length > 0) expect(follows).toEqual([(await row()).setBy]);
  await updatePolicy(ownerKey, agent.account.id, { perTransactionLimit: 8_000_000n });
  await onLedger();
  expect((await inForce()).follows).toEqual([]);
});

test("a change that changes nothing leaves no trace", async () => {
  const count = await sent();
  await updatePolicy(ownerKey, agent.account.id, { perTransactionLimit: GENEROUS.perTransactionLimit });
  expect([await row(), await sent()]).toEqual([before, count]);
});

test("recipients stand for what they stood for when they were signed, until a change names them again", async () => {
  const named = { allowedRecipients: [`@${stranger.account.handle}`, "@no_one_has_this"] };
  await updatePolicy(ownerKey, agent.account.id, named);
  expect((await row()).resolved).toEqual([stranger.address]);
  expect((await inForce()).tree.proofOf(stranger.address)).not.toBeNull();
  const moved = stranger.address.replace(/.$/, (last) => (last === "0" ? "1" : "0")) as `0x${string}`;
  await db().update(accounts).set({ address: moved }).where(eq(accounts.id, stranger.account.id));
  try {
    await updatePolicy(ownerKey, agent.account.id, { dailyLimit: 1n });
    expect((await row()).resolved).toEqual([stranger.address]);
    await updatePolicy(ownerKey, agent.account.id, named);
    expect((await row()).resolved).toEqual([moved]);
  } finally {
    await db().update(accounts).set({ address: stranger.address }).where(eq(accounts.id, stranger.account.id));
  }
});

test("invariant 21: a written database: each column of a policy changed in turn pays nothing, and no change is made on top of it", async () => {
  await updatePolicy(ownerKey, agent.account.id, { allowedRecipients: [`@${stranger.account.handle}`] });
  await onLedger();
  const good = await row();
  const columns: Partial<typeof good>[] = [
    { dailyLimit: good.dailyLimit + 1n },
    { perTransactionLimit: good.perTransactionLimit + 1n },
    { hitlThreshold: good.hitlThreshold + 1n },
    { allowedRecipients: ["*"] },
    { assets: ["USDG", "ETH"] },
    { activeHours: "00:00-23:59" },
    { timeZone: "Europe/Zurich" },
    { limits: { ETH: { daily: "1", per_transaction: "1", hitl_threshold: "1" } } },
    { salt: `0x${"22".repeat(32)}` },
    { salt: "0x22" },
    { version: good.version + 1n },
    { resolved: [stranger.address, owner.address] },
    { resolved: [] },
    { anyRecipient: true },
  ];
  const mine = eq(spendPolicies.holderId, agent.account.id);
  const count = await sent();
  for (const column of columns) {
    await db().update(spendPolicies).set(column).where(mine);
    await expect(inForce(), Object.keys(column).join()).rejects.toMatchObject({ code: "policy_not_in_force" });
    const change = updatePolicy(ownerKey, agent.account.id, { dailyLimit: 5n });
    await expect(change, Object.keys(column).join()).rejects.toMatchObject({ code: "policy_not_in_force" });
    await db().update(spendPolicies).set(good).where(mine);
  }
  await db().update(agents).set({ status: "paused" }).where(eq(agents.accountId, agent.account.id));
  await updatePolicy(ownerKey, agent.account.id, { dailyLimit: 5n });
  await onLedger();
  // A pause that was signed does not end because a row was changed.
  await db().update(agents).set({ status: "active" }).where(eq(agents.accountId, agent.account.id));
  await expect(inForce()).rejects.toMatchObject({ code: "policy_not_in_force" });
  expect(await sent()).toBe(count + 1);
});

test("rows that no one signed are set again by a change that names every field", async () => {
  const mine = eq(spendPolicies.holderId, agent.account.id);
  await db().update(spendPolicies).set({ dailyLimit: 999_999_999_999n }).where(mine);
  const whole = { ...TIGHT, limits: DENY_ALL.limits };
  await updatePolicy(ownerKey, agent.account.id, whole);
  await onLedger();
  expect((await getPolicy(ownerKey, agent.account.id)).policy).toEqual(whole);
});
