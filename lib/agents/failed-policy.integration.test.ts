// First, so that what is loaded after it can die.
import "@/test/chain/dying";

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import type { KeyContext } from "@/lib/base/context/context";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { chainEnv } from "@/lib/chain/clients";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { policyInForce } from "@/test/accounts/policy-in-force";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { crash } from "@/test/chain/crash";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { passTime } from "@/test/services/pass-time";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { readOwnersPolicy } from "./owners-policy";
import { partyAtLatest } from "./party-at-latest";
import { setGuarded } from "./set-guarded";
import { pauseAgent, resumeAgent } from "./set-status";
import { updatePolicy } from "./update-policy";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let agent: Agent;
let key: KeyContext;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.create(CHAIN);
  await settled(await owner.enroll());
  key = await owner.key();
});
afterAll(() => services?.stop());

beforeEach(async () => {
  const registered = await Agent.create(owner);
  agent = registered.agent;
  await settled(registered.operationId);
});

const view = () => readOwnersPolicy(owner.session, agent.account.id);
const inForce = () => policyInForce(CHAIN, agent.account);

/** Signs a policy as the owner, for the next version, and sends it without the service. */
async function sendPolicyAlone(): Promise<void> {
  const { policyVersion } = await view();
  const next = { policy: { ...GENEROUS, dailyLimit: 1n }, paused: false, version: policyVersion + 1n };
  await sendFromFaucet(CHAIN, authorityCalldata((await signPolicyAs(owner, agent.address, next)).document));
}

test("a policy that the owner set past the service stops the agent, until it is signed again with every field", async () => {
  await sendPolicyAlone();
  expect((await view()).inForce).toBe("no");
  await expect(inForce()).rejects.toMatchObject({ code: "policy_not_in_force" });
  await expect(updatePolicy(key, agent.account.id, { dailyLimit: 5n })).rejects.toMatchObject({
    code: "policy_not_in_force",
  });
  await expect(resumeAgent(key, agent.account.id)).rejects.toMatchObject({ code: "policy_not_in_force" });
  await updatePolicy(key, agent.account.id, { ...GENEROUS, limits: DENY_ALL.limits });
  expect(await settled((await view()).operation?.id ?? "")).toEqual(["confirmed"]);
  expect((await inForce()).document.version).toBe((await view()).setting.version);
});

test("rows that no one signed are paused and signed by nothing: a pause does not make them the ledger's", async () => {
  await db()
    .update(spendPolicies)
    .set({ dailyLimit: 999_999_999_999n })
    .where(eq(spendPolicies.holderId, agent.account.id));
  const before = await view();
  expect((await pauseAgent(key, agent.account.id)).status).toBe("paused");
  expect(await view()).toMatchObject({ operation: before.operation, inForce: "no", paused: true });
});

async function guard(on: boolean): Promise<string> {
  const { nonce } = (await partyAtLatest(CHAIN, owner.account)).record;
  const draft = { kind: "set_guarded", account: owner.address, guarded: on, nonce: `${nonce}` } as const;
  const document = { ...draft, deadline: `${seconds(3_600)}` };
  return (await setGuarded(owner.session, await signAuthority(owner.scope, document, keySigner(owner.walletKey)))).id;
}

test("a key's change waits for a guard that is under way, and the agent keeps its policy", async () => {
  crash.beforeBroadcast = true;
  const guarding = await services.withoutWorker(async () => {
    const id = await guard(true);
    const change = updatePolicy(key, agent.account.id, { dailyLimit: 5n });
    await expect(change).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
    await pauseAgent(key, agent.account.id);
    await expect(resumeAgent(key, agent.account.id)).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
    return id;
  });
  crash.beforeBroadcast = false;
  expect(await settled(guarding)).toEqual(["confirmed"]);
  expect((await view()).inForce).toBe("yes");
  await expect(updatePolicy(key, agent.account.id, { dailyLimit: 5n })).rejects.toMatchObject({
    code: "key_forbidden",
  });
  expect(await settled(await guard(false))).toEqual(["confirmed"]);
});

test("a setPolicy whose time ran out stops the agent; what the owner signed there is taken up by the next change", async () => {
  const { policyVersion } = await view();
  const policy = { ...GENEROUS, dailyLimit: 5_000_000n };
  crash.beforeBroadcast = true;
  await services.withoutWorker(async () => {
    const signed = await signPolicyAs(owner, agent.address, { policy, paused: false, version: policyVersion + 1n });
    await updatePolicy(owner.session, agent.account.id, { dailyLimit: policy.dailyLimit }, signed);
    expect(await view()).toMatchObject({ inForce: "pending", operation: { status: "pending" } });
    await passTime(chainEnv(CHAIN).rpcUrl, 2 * 3_600);
  });
  crash.beforeBroadcast = false;
  expect(await settled((await view()).operation?.id ?? "")).toEqual(["failed"]);
  expect((await view()).inForce).toBe("no");
  await expect(inForce()).rejects.toMatchObject({ code: "policy_not_in_force" });
  // The rows are what the owner signed, so a single field may be changed again.
  await updatePolicy(key, agent.account.id, { perTransactionLimit: 4_000_000n });
  expect(await settled((await view()).operation?.id ?? "")).toEqual(["confirmed"]);
  expect(await view()).toMatchObject({ inForce: "yes", policy: { ...policy, perTransactionLimit: 4_000_000n } });
});
