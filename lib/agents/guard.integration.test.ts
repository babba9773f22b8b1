import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations, relayUsage } from "@/db/schema/chain";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { AuthorityDraft, AuthorityKind } from "@/lib/ledger/authority/authority-documents";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { seconds } from "@/test/accounts/available-holder";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { Owner, settled } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { startWorkingServices } from "@/test/services/working-services";
import { createAgent } from "./create-agent";
import { listAgents } from "./list-agents";
import { readLimits, readOwnersPolicy } from "./owners-policy";
import { partyAtLatest } from "./party-at-latest";
import { setGuarded } from "./set-guarded";
import { leaveLimits, setLimits } from "./set-limits";
import { pauseAgent, resumeAgent } from "./set-status";
import { updatePolicy } from "./update-policy";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let owner: Owner;
let agent: Agent;
let key: KeyContext;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.create(CHAIN);
  await settled(await owner.enroll());
  const registered = await Agent.create(owner);
  agent = registered.agent;
  key = await owner.key();
  await settled(registered.operationId);
});
afterAll(() => services?.stop());
beforeEach(() => awayFromMidnight());

const paymentKeyOf = () => derivePaymentKey(owner.authority, owner.scope).privateKey;
const record = async () => (await partyAtLatest(CHAIN, owner.account)).record;
const inForceOf = async () => (await readOwnersPolicy(owner.session, agent.account.id)).inForce;
const statusOf = async () => (await listAgents(owner.session)).find(({ id }) => id === agent.account.id)?.status;
const settledPolicy = async (id = agent.account.id) => {
  const { operation } = await readOwnersPolicy(owner.session, id);
  expect(await settled(operation?.id ?? "")).toEqual(["confirmed"]);
};

const signed = <K extends AuthorityKind>(draft: AuthorityDraft<K>, by = owner.walletKey) =>
  signAuthority(owner.scope, draft, keySigner(by));

async function guard(on: boolean, by?: `0x${string}`) {
  const { nonce } = await record();
  const draft = { kind: "set_guarded", account: owner.address, guarded: on, nonce: `${nonce}` } as const;
  return setGuarded(owner.session, await signed({ ...draft, deadline: `${seconds(3_600)}` }, by));
}

const policyOf = async (paused = false, by?: `0x${string}`) => {
  const { policy, policyVersion } = await readOwnersPolicy(owner.session, agent.account.id);
  return signPolicyAs(owner, agent.address, { policy, paused, version: policyVersion + 1n }, by);
};

test("only the wallet sets the guard", async () => {
  await expect(guard(true, paymentKeyOf())).rejects.toMatchObject({ code: "invalid_request", param: "signature" });
  const { id } = await guard(true);
  expect(await settled(id)).toEqual(["confirmed"]);
  expect((await record()).guarded).toBe(true);
});

test("of a guarded account no key changes a policy, and neither does the payment key by a session", async () => {
  const tighter = { perTransactionLimit: 1n };
  await expect(updatePolicy(key, agent.account.id, tighter)).rejects.toMatchObject({ code: "key_forbidden" });
  const { policyVersion, policy } = await readOwnersPolicy(owner.session, agent.account.id);
  const next = { policy: { ...policy, ...tighter }, paused: false, version: policyVersion + 1n };
  const byPaymentKey = await signPolicyAs(owner, agent.address, next, paymentKeyOf());
  await expect(updatePolicy(owner.session, agent.account.id, tighter, byPaymentKey)).rejects.toMatchObject({
    code: "key_forbidden",
    param: "signed",
  });
  const byWallet = await signPolicyAs(owner, agent.address, next);
  await updatePolicy(owner.session, agent.account.id, tighter, byWallet);
  await settledPolicy();
  expect(await inForceOf()).toBe("yes");
  // What the wallet has signed, a key may bring.
  const signed = { policy: { ...policy, perTransactionLimit: 3n }, paused: false, version: policyVersion + 2n };
  const change = { perTransactionLimit: 3n };
  const refused = updatePolicy(
    key,
    agent.account.id,
    change,
    await signPolicyAs(owner, agent.address, signed, paymentKeyOf()),
  );
  await expect(refused).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  await updatePolicy(key, agent.account.id, change, await signPolicyAs(owner, agent.address, signed));
  await settledPolicy();
  expect(await inForceOf()).toBe("yes");
});

test("a key stops an agent of a guarded account, by the service's word alone; only the wallet lets it pay again", async () => {
  const { operation } = await readOwnersPolicy(owner.session, agent.account.id);
  expect((await pauseAgent(key, agent.account.id)).status).toBe("paused");
  expect((await readOwnersPolicy(owner.session, agent.account.id)).operation).toEqual(operation);
  await expect(resumeAgent(key, agent.account.id)).rejects.toMatchObject({ code: "key_forbidden" });
  const resumed = resumeAgent(owner.session, agent.account.id, await policyOf(false, paymentKeyOf()));
  await expect(resumed).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  expect(await statusOf()).toBe("paused");
  const stolen = resumeAgent(key, agent.account.id, await policyOf(false, paymentKeyOf()));
  await expect(stolen).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  expect((await resumeAgent(key, agent.account.id, await policyOf())).status).toBe("active");
  await settledPolicy();
  expect((await pauseAgent(key, agent.account.id, await policyOf(true))).status).toBe("paused");
  expect((await resumeAgent(owner.session, agent.account.id, await policyOf())).status).toBe("active");
  await settledPolicy();
  expect(await inForceOf()).toBe("yes");
});

test("an agent that a key creates for a guarded account pays no one until the wallet has signed its policy", async () => {
  const created = await createAgent(key, { name: "guarded", spend_policy: GENEROUS });
  const view = await readOwnersPolicy(owner.session, created.id);
  expect(view).toMatchObject({ inForce: "no", operation: null });
  const whole = { ...GENEROUS, limits: DENY_ALL.limits };
  const next = { policy: whole, paused: false, version: view.policyVersion + 1n };
  const change = updatePolicy(
    owner.session,
    created.id,
    { dailyLimit: 1n },
    await signPolicyAs(owner, created.address, next),
  );
  await expect(change).rejects.toMatchObject({ code: "policy_not_in_force" });
  await updatePolicy(owner.session, created.id, whole, await signPolicyAs(owner, created.address, next));
  await settledPolicy(created.id);
  expect((await readOwnersPolicy(owner.session, created.id)).inForce).toBe("yes");
});

test("a pause without a signature works at once, and one that is signed reaches the ledger", async () => {
  const before = await readOwnersPolicy(owner.session, agent.account.id);
  expect((await pauseAgent(owner.session, agent.account.id)).status).toBe("paused");
  await resumeAgent(owner.session, agent.account.id, await policyOf());
  const { status } = await pauseAgent(owner.session, agent.account.id, await policyOf(true));
  expect(status).toBe("paused");
  await settledPolicy();
  const after = await readOwnersPolicy(owner.session, agent.account.id);
  expect(after).toMatchObject({ inForce: "yes", paused: true, updatedAt: before.updatedAt });
  expect(after.setting.version).toBe(before.setting.version + 2n);
});

test("an account under its own policy stays guarded; its wallet alone sets the limits and takes them away", async () => {
  const limits = { dailyLimit: 10_000_000n, allowedRecipients: ["*"] };
  const policy: SpendPolicy = { ...DENY_ALL, ...limits };
  const sign = async (next: SpendPolicy, limited = true, by = owner.walletKey) => {
    const { policyVersion } = await record();
    return signPolicyAs(
      owner,
      owner.address,
      { policy: next, paused: false, limited, version: policyVersion + 1n },
      by,
    );
  };
  await expect(readLimits(owner.session)).rejects.toMatchObject({ code: "not_found" });
  const byPaymentKey = setLimits(owner.session, limits, await sign(policy, true, paymentKeyOf()));
  await expect(byPaymentKey).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  await expect(setLimits(owner.session, limits, undefined)).rejects.toMatchObject({ code: "key_forbidden" });
  const signed = await sign(policy);
  const both = await Promise.allSettled([1, 2].map(() => setLimits(owner.session, limits, signed)));
  const [view] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toMatchObject([{ code: "key_forbidden", param: "signed" }]);
  expect(await settled(view?.operation?.id ?? "")).toEqual(["confirmed"]);
  expect(await readLimits(owner.session)).toMatchObject({ inForce: "yes", policy });
  expect(await record()).toMatchObject({ limited: true, guarded: true });
  await expect(guard(false)).rejects.toMatchObject({ code: "invalid_request" });

  const left = await leaveLimits(owner.session, await sign(DENY_ALL, false));
  expect(await settled(left.id)).toEqual(["confirmed"]);
  await expect(readLimits(owner.session)).rejects.toMatchObject({ code: "not_found" });
  expect(await record()).toMatchObject({ limited: false, guarded: true });
  const off = await guard(false);
  expect(await settled(off.id)).toEqual(["confirmed"]);
  expect((await record()).guarded).toBe(false);
});

test("a key that wraps nothing pauses; it changes no policy and lets no agent pay again", async () => {
  const strict: KeyContext = {
    ...key,
    unwrap: async () => {
      throw new ApiError("key_forbidden", "strict");
    },
  };
  await resumeAgent(owner.session, agent.account.id, await policyOf());
  await settledPolicy();
  await expect(updatePolicy(strict, agent.account.id, { dailyLimit: 1n })).rejects.toMatchObject({
    code: "key_forbidden",
  });
  expect((await pauseAgent(strict, agent.account.id)).status).toBe("paused");
  await expect(resumeAgent(strict, agent.account.id)).rejects.toMatchObject({ code: "key_forbidden" });
  expect(await statusOf()).toBe("paused");
});

test("by a plain key pause and resume go to the ledger, in order", async () => {
  await resumeAgent(key, agent.account.id);
  await pauseAgent(key, agent.account.id);
  await pauseAgent(key, agent.account.id);
  await resumeAgent(key, agent.account.id);
  const rows = await db().select().from(operations).where(eq(operations.account, agent.address));
  const ids = rows.filter(({ kind }) => kind === "set_policy").map(({ id }) => id);
  expect(new Set(await settled(...ids))).toEqual(new Set(["confirmed"]));
  expect(await inForceOf()).toBe("yes");
  expect(await statusOf()).toBe("active");
});

test("with the day's quota used up a change is refused and changes nothing, and a pause still works", async () => {
  const before = await readOwnersPolicy(owner.session, agent.account.id);
  const mine = eq(relayUsage.account, owner.address);
  const used = await db().select().from(relayUsage).where(mine);
  await db().update(relayUsage).set({ operations: 1_000_000 }).where(mine);
  const change = updatePolicy(key, agent.account.id, { perTransactionLimit: 2n });
  await expect(change).rejects.toMatchObject({ code: "rate_limited" });
  expect(await readOwnersPolicy(owner.session, agent.account.id)).toEqual(before);
  expect((await pauseAgent(key, agent.account.id)).status).toBe("paused");
  expect(await statusOf()).toBe("paused");
  for (const { day, operations: count } of used) {
    await db()
      .update(relayUsage)
      .set({ operations: count })
      .where(and(mine, eq(relayUsage.day, day)));
  }
  // A signature brings a pause that only the service enforced to the ledger.
  await pauseAgent(owner.session, agent.account.id, await policyOf(true, paymentKeyOf()));
  await settledPolicy();
  expect(await readOwnersPolicy(owner.session, agent.account.id)).toMatchObject({ inForce: "yes", paused: true });
});
