import { and, asc, desc, eq } from "drizzle-orm";
import { zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { db } from "@/db/client";
import { agents, heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { events } from "@/db/schema/events";
import { apiKeys } from "@/db/schema/keys";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerAddress } from "@/lib/chain/registry";
import { relayerAccount } from "@/lib/chain/relayer";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { reject } from "@/lib/payments/approvals/reject";
import { Agent } from "@/test/accounts/agent";
import {
  agent,
  ask,
  bringUpAgents,
  CHAIN,
  heldOf,
  owner,
  ownerKey,
  pay,
  settledAll,
  stranger,
} from "@/test/accounts/agents";
import { createApiKey } from "@/test/accounts/api-key";
import { seconds } from "@/test/accounts/available-holder";
import { settled } from "@/test/accounts/owner";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { endAgent } from "./end-agent";
import { listAgents } from "./list-agents";
import { readOwnersPolicy } from "./owners-policy";
import { partyAtLatest } from "./party-at-latest";
import { readPolicy } from "./pending-policy";
import { setAgentSigners } from "./set-agent-signers";
import { pauseAgent, resumeAgent } from "./set-status";
import { updatePolicy } from "./update-policy";

bringUpAgents();

const paymentKeyOf = () => derivePaymentKey(owner.authority, owner.scope).privateKey;
const statusOf = async () => (await listAgents(owner.session)).find(({ id }) => id === agent.account.id)?.status;
/** Returns the agent's own events, oldest first. */
const announced = async () => {
  const rows = await db().select().from(events).where(eq(events.accountId, agent.account.id)).orderBy(asc(events.id));
  return rows.flatMap(({ type }) => (/^agent\.\w+$/.test(type) ? [type] : []));
};
const signerOnLedger = async () => (await partyAtLatest(CHAIN, agent.account)).record.signer;

/** Signs `SetAgentSigner` for the agent, over its version in the newest block. */
async function sign(signer = zeroAddress as `0x${string}`, by = owner.walletKey, version?: bigint, of = agent) {
  const { policyVersion } = (await partyAtLatest(CHAIN, of.account)).record;
  const draft: AuthorityDraft<"set_agent_signer"> = {
    kind: "set_agent_signer",
    owner: owner.address,
    agents: [of.address],
    signers: [lowerAddress(signer)],
    policy_versions: [`${version ?? policyVersion}`],
    until: `${NO_END}`,
    deadline: `${seconds(3_600)}`,
  };
  return signAuthority(owner.scope, draft, keySigner(by));
}

const encrypted = (key: `0x${string}`) => ({
  agent: agent.address,
  wallet: toHex(encryptAgentWallet(agent.authority, { scope: owner.scope, agent: agent.address }, key)),
});

test("an agent ends by the wallet or the payment key, here and on the ledger, and nothing more is changed about it", async () => {
  const { agent: view, operation } = await endAgent(
    owner.session,
    agent.account.id,
    await sign(undefined, paymentKeyOf()),
  );
  expect(view.status).toBe("ended");
  expect(await settled(operation.id)).toEqual(["confirmed"]);
  expect(await signerOnLedger()).toBe(zeroAddress);
  const ending = and(eq(auditLog.action, "agent.ended"), eq(auditLog.target, agent.account.id));
  const [entry] = await db().select().from(auditLog).where(ending);
  expect(entry?.rootId).toBe(owner.account.id);
  const refusal = { code: "policy_not_in_force" };
  await expect(updatePolicy(ownerKey, agent.account.id, { dailyLimit: 1n })).rejects.toMatchObject(refusal);
  await expect(resumeAgent(ownerKey, agent.account.id)).rejects.toMatchObject(refusal);
  expect((await pauseAgent(ownerKey, agent.account.id)).status).toBe("ended");
  expect(await statusOf()).toBe("ended");
  expect(await announced()).toEqual(["agent.created", "agent.ended"]);
});

const authenticate = (text: string) =>
  authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");

test("an agent's API keys end with it, for good, with what they wrap; its owner's go on, and it gets no new ones", async () => {
  const [one, two] = [await createApiKey(agent), await createApiKey(agent)];
  const owners = await createApiKey(owner);
  expect((await authenticate(one.text)).context.account.id).toBe(agent.account.id);
  const { operation } = await endAgent(owner.session, agent.account.id, await sign());
  for (const { text } of [one, two]) await expect(authenticate(text)).rejects.toMatchObject({ code: "unauthorized" });
  await authenticate(owners.text);
  const rows = await db().select().from(apiKeys).where(eq(apiKeys.agentId, agent.account.id));
  const ids = rows.map(({ id }) => id).sort();
  expect(ids).toEqual(expect.arrayContaining([one.id, two.id]));
  expect(rows.map(({ wrap, flagWrap }) => [wrap, flagWrap])).toEqual(rows.map(() => [null, null]));
  const ofAgent = await db().select().from(events).where(eq(events.accountId, agent.account.id));
  const revoked = ofAgent.flatMap(({ type, payload }) => (type === "key.revoked" ? [payload] : []));
  expect(revoked).toHaveLength(ids.length);
  const [entry] = await db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, "agent.ended"), eq(auditLog.target, agent.account.id)));
  expect(entry?.after).toMatchObject({ keys: ids });
  await expect(createApiKey(agent)).rejects.toMatchObject({ code: "policy_not_in_force" });

  // With a new signing key the agent can pay again, but its old API keys stay revoked.
  expect(await settled(operation.id)).toEqual(["confirmed"]);
  const key = generatePrivateKey();
  const document = await sign(privateKeyToAddress(key));
  await setAgentSigners(owner.session, { secret_version: 1, document, wallets: [encrypted(key)] });
  await expect(authenticate(one.text)).rejects.toMatchObject({ code: "unauthorized" });
  await authenticate((await createApiKey(agent)).text);
});

test("what waits for approval is rejected when its agent ends, by its owner here or on the ledger alone", async () => {
  const decided = async (id: string) => {
    const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, id));
    const [entry] = await db().select().from(auditLog).where(eq(auditLog.target, id)).orderBy(desc(auditLog.position));
    const announced = await db().select().from(events).where(eq(events.type, "agent.transaction.rejected"));
    const ofThis = announced.filter(({ payload }) => payload.transaction_id === id);
    return [row?.status, entry?.action, entry?.actorType, ofThis.length];
  };
  const held = async () => {
    const { agent: one, operationId } = await Agent.create(owner, { hitlThreshold: 0n });
    await settled(operationId);
    await pay(ownerKey, one, "5");
    return { one, id: heldOf(await ask(await one.key(), stranger, "1")).id };
  };
  const [here, there] = [await held(), await held()];
  await endAgent(owner.session, here.one.account.id, await sign(undefined, owner.walletKey, undefined, here.one));
  expect(await decided(here.id)).toEqual(["rejected", "agent.transaction.rejected", "session", 1]);
  await expect(reject(ownerKey, here.id)).rejects.toMatchObject({ code: "transaction_not_found" });
  await sendFromFaucet(CHAIN, authorityCalldata(await sign(undefined, owner.walletKey, undefined, there.one)));
  await expect.poll(() => decided(there.id)).toEqual(["rejected", "agent.transaction.rejected", "system", 1]);
});

test("what ends another agent, gives a key or is not the owner's changes nothing", async () => {
  const id = agent.account.id;
  const other = generatePrivateKey();
  await expect(endAgent(owner.session, id, await sign(privateKeyToAddress(other)))).rejects.toMatchObject({
    param: "agents",
  });
  await expect(endAgent(owner.session, id, await sign(undefined, other))).rejects.toMatchObject({
    param: "document.signature",
  });
  await expect(endAgent(stranger.session, id, await sign())).rejects.toMatchObject({ code: "not_agent_owner" });
  await expect(endAgent(owner.session, id, await sign(undefined, owner.walletKey, 9n))).rejects.toMatchObject({
    param: "document.signature",
  });
  expect(await statusOf()).toBe("active");
});

test("while a policy is on its way to the ledger, which would void the signature, nothing ends", async () => {
  const before = await sign();
  await updatePolicy(ownerKey, agent.account.id, { dailyLimit: 3n });
  const { policyVersion } = await readPolicy(CHAIN, agent.account);
  const ends = endAgent(owner.session, agent.account.id, before);
  // Whether the policy is mined by now or not, the signature is void, and the agent must not appear ended.
  await expect(ends).rejects.toMatchObject({
    code: expect.stringMatching(/available_balance_changed|invalid_request/),
  });
  expect(await statusOf()).toBe("active");
  const { operation } = await readOwnersPolicy(owner.session, agent.account.id);
  await settledAll({ operationId: operation?.id ?? "" });
  const after = await endAgent(owner.session, agent.account.id, await sign(undefined, owner.walletKey, policyVersion));
  expect(after.agent.status).toBe("ended");
});

test("an agent that its owner ended on the ledger alone is ended here as well, and its API keys", async () => {
  const { text } = await createApiKey(agent);
  await sendFromFaucet(CHAIN, authorityCalldata(await sign()));
  await expect.poll(statusOf).toBe("ended");
  expect((await announced()).at(-1)).toBe("agent.ended");
  await expect(authenticate(text)).rejects.toMatchObject({ code: "unauthorized" });
});

test("a new key comes with its encrypted text, signed by the wallet alone; an ended agent comes back paused", async () => {
  const key = generatePrivateKey();
  const signer = privateKeyToAddress(key);
  const input = { secret_version: 1, document: await sign(signer), wallets: [encrypted(key)] };
  const replace = (change: Partial<typeof input>) => setAgentSigners(owner.session, { ...input, ...change });
  await expect(replace({ document: await sign(signer, paymentKeyOf()) })).rejects.toMatchObject({
    param: "document.signature",
  });
  await expect(replace({ wallets: [] })).rejects.toMatchObject({ param: "wallets" });
  await expect(replace({ secret_version: 2 })).rejects.toMatchObject({ param: "secret_version" });
  const relayer = await sign(relayerAccount(CHAIN, 0).address);
  await expect(replace({ document: relayer })).rejects.toMatchObject({ param: "document.signers" });

  const ended = await endAgent(owner.session, agent.account.id, await sign());
  expect(await settled(ended.operation.id)).toEqual(["confirmed"]);
  const again = await replace({ document: await sign(signer) });
  expect(await statusOf()).toBe("paused");
  expect(await settled(again.id)).toEqual(["confirmed"]);
  expect(await signerOnLedger()).toBe(signer);
  expect((await resumeAgent(ownerKey, agent.account.id)).status).toBe("active");
  for (let i = 0; i < 2; i++) await pauseAgent(ownerKey, agent.account.id);
  for (let i = 0; i < 2; i++) await resumeAgent(ownerKey, agent.account.id);
  const changes = ["created", "ended", "paused", "resumed", "paused", "resumed"];
  expect(await announced()).toEqual(changes.map((change) => `agent.${change}`));
  const [row] = await db().select().from(agents).where(eq(agents.accountId, agent.account.id));
  expect(row).toMatchObject({ status: "active", secretVersion: 1 });
});
