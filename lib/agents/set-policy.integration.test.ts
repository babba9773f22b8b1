import { desc, eq } from "drizzle-orm";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { DENY_ALL, type SpendPolicy, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { agent, bringUpAgents, CHAIN, owner, ownerKey, settledAll, stranger } from "@/test/accounts/agents";
import { callerWith, sessionCaller } from "@/test/accounts/api-caller";
import { createApiKey } from "@/test/accounts/api-key";
import { policyInForce } from "@/test/accounts/policy-in-force";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { getPolicy } from "./get-policy";
import { readOwnersPolicy } from "./owners-policy";
import { readPolicy } from "./pending-policy";
import { updatePolicy } from "./update-policy";

bringUpAgents();

const TIGHT: SpendPolicy = { ...GENEROUS, perTransactionLimit: 5_000_000n };
const paymentKeyOf = () => derivePaymentKey(owner.authority, owner.scope).privateKey;

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

test("a change by key sends one event with the names of its fields, and is logged once with both values", async () => {
  await updatePolicy(ownerKey, agent.account.id, { perTransactionLimit: 9_000_000n, activeHours: "08:00-20:00" });
  const sentEvents = await db().select().from(events).where(eq(events.accountId, agent.account.id));
  const mine = sentEvents.filter(({ type }) => type === "agent.policy.updated");
  expect(mine.map(({ payload }) => payload.changed)).toEqual([["per_transaction_limit_usdg", "active_hours"]]);
  expect(JSON.stringify(mine)).not.toMatch(/9000000|08:00-20:00/);
  const target = eq(auditLog.target, agent.account.id);
  const logged = (await db().select().from(auditLog).where(target)).filter(
    ({ action }) => action === "agent.policy.updated",
  );
  expect(logged).toMatchObject([
    {
      ...{ actorType: "key", actorId: ownerKey.keyId },
      before: { per_transaction_limit_usdg: 1_000, active_hours: "00:00-24:00" },
      after: { per_transaction_limit_usdg: 9, active_hours: "08:00-20:00", set_policy: { policy_version: "1" } },
    },
  ]);
  expect(Object.keys(logged[0]?.before ?? {})).toHaveLength(2);
});

test("changes at the same time are all kept: each touches its own fields only", async () => {
  const changes: Partial<SpendPolicy>[] = [
    { dailyLimit: 11_000_000n },
    { perTransactionLimit: 12_000_000n },
    { hitlThreshold: 13_000_000n },
    { activeHours: "01:00-02:00" },
    { timeZone: "Asia/Tokyo" },
  ];
  await Promise.all(changes.map((change) => updatePolicy(ownerKey, agent.account.id, change)));
  const { policy } = await getPolicy(ownerKey, agent.account.id);
  expect(policy).toEqual(Object.assign({}, GENEROUS, ...changes));
});

test("an agent is registered once under a name, with every field of its policy and one Idempotency-Key", async () => {
  const call = callerWith((await createApiKey(owner)).text);
  const agents = "/v1/accounts/me/agents";
  const name = `n${Date.now().toString(36)}`;
  const policy = {
    ...{ daily_limit_usdg: 1_000_000_000, per_transaction_limit_usdg: 999_999_999.999999, hitl_threshold_usdg: 0.1 },
    allowed_recipients: Array.from({ length: 1_000 }, (_, i) => `@user-${i}`),
    ...{ assets: ["ETH", "USDG"], active_hours: "22:00-06:00", time_zone: "Europe/Zurich" },
    limits: { ETH: { daily: "1000000000", per_transaction: "0.000000001", hitl_threshold: "0" } },
  };
  const body = { name, spend_policy: policy };
  const headers = { "idempotency-key": `register-${name}` };
  const first = await call("POST", agents, body, headers);
  const again = await call("POST", agents, body, headers);
  expect([first.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, first.text, "true"]);
  const stored = await call("GET", `/v1/agents/${first.json.account_id}/spend-policy`);
  expect(stored.json).toMatchObject({ policy_id: first.json.spend_policy_id, ...policy });
  const bySession = await sessionCaller(owner);
  const at = `/v1/agents/${first.json.account_id}/spend-policy`;
  expect((await bySession("GET", at)).json).toEqual(stored.json);
  // Its operation is settled first: the two reads below see the same state.
  const { operation } = (await bySession("GET", `${at}?include=ledger`)).json as {
    operation: { operation_id: string };
  };
  await settledAll({ operationId: operation.operation_id });
  const own = await bySession("GET", `${at}?include=ledger`);
  expect(own.json).toMatchObject({ ...stored.json, in_force: "yes", operation: { status: "confirmed" } });
  expect((await call("GET", `${at}?include=ledger`)).json).toEqual(own.json);
  // The name is taken, also when two ask for another one at once, and free for another owner.
  const taken = await call("POST", agents, { name });
  expect([taken.status, taken.json.error]).toMatchObject([409, { code: "handle_taken", param: "name" }]);
  const both = await Promise.all([0, 1].map(() => call("POST", agents, { name: `${name}-2` })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  // What a registration leaves out denies.
  const bare = both.find((response) => response.status === 201)?.json;
  expect((await call("GET", `/v1/agents/${bare?.account_id}/spend-policy`)).json).toEqual({
    ...{ policy_id: bare?.spend_policy_id, updated_at: expect.stringMatching(/Z$/) },
    ...toSpendPolicyResource(DENY_ALL),
  });
  const { agent: theirs } = await Agent.create(stranger, {}, name);
  expect(theirs.account.handle).toBe(`${stranger.account.handle}/${name}`);
  const { json } = await call("GET", agents);
  const named = (json.agents as { handle: string }[]).filter(({ handle }) => handle.includes(`/${name}`));
  expect(named.map(({ handle }) => handle)).toEqual(["", "-2"].map((end) => `@${owner.account.handle}/${name}${end}`));
});

test("an agent that the owner has not signed for is not registered", async () => {
  const call = await sessionCaller(owner);
  const hexOf = (bytes: number): `0x${string}` => `0x${"ab".repeat(bytes)}`;
  const registration = {
    ...{ address: hexOf(20), wallet: hexOf(73), secret_version: 1 },
    ...{ deadline: String(Math.floor(Date.now() / 1000) + 7_200) },
    ...{ owner_signature: hexOf(65), agent_signature: hexOf(65) },
  };
  const body = { name: "unsigned", registration, signed: await sign(TIGHT) };
  const { status, json } = await call("POST", "/v1/accounts/me/agents", body);
  expect([status, json.error]).toMatchObject([400, { code: "invalid_request", param: "registration.owner_signature" }]);
});

test("pausing and resuming are repeatable and logged once each, with who did; at once they leave one state", async () => {
  const call = callerWith((await createApiKey(owner)).text);
  const act = (verb: string) => call("POST", `/v1/agents/${agent.account.id}/${verb}`);
  const paused = await act("pause");
  expect([paused.status, paused.json.status]).toEqual([200, "paused"]);
  expect((await act("pause")).json).toEqual(paused.json);
  const bySession = await sessionCaller(owner);
  const unsigned = await bySession("POST", `/v1/agents/${agent.account.id}/resume`, {});
  expect([unsigned.status, unsigned.json.error?.code, unsigned.json.error?.param]).toEqual([
    ...[403, "key_forbidden", "signed"],
  ]);
  const resumed = await act("resume");
  expect(resumed.json).toEqual({ ...paused.json, status: "active" });
  expect((await act("resume")).json).toEqual(resumed.json);
  const logged = async () => {
    const { json } = await call("GET", `/v1/audit-log?target=${agent.account.id}&limit=100`);
    const entries = json.entries as { action: string; actor: { type: string } }[];
    return entries.map(({ action, actor }) => `${action} by ${actor.type}`).reverse();
  };
  expect(await logged()).toEqual(["agent.created by session", "agent.paused by key", "agent.resumed by key"]);
  const enrolled = await call("GET", `/v1/audit-log?target=${owner.account.id}`);
  expect(enrolled.json.entries).toMatchObject([{ action: "account.enrolled", actor: { type: "session" } }]);
  const verbs = ["pause", "resume", "pause", "resume", "pause", "resume"];
  const all = await Promise.all(verbs.map(act));
  expect(all.map(({ status }) => status)).toEqual(verbs.map(() => 200));
  const [, ...changes] = await logged();
  expect(changes).toEqual(changes.map((_, n) => `agent.${n % 2 === 0 ? "paused" : "resumed"} by key`));
  const { json } = await call("GET", "/v1/accounts/me/agents");
  const now = (json.agents as { account_id: string; status: string }[]).find(
    ({ account_id }) => account_id === agent.account.id,
  );
  expect(now?.status).toBe(changes.length % 2 === 1 ? "paused" : "active");
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
