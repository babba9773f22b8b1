import { randomBytes } from "node:crypto";
import { and, eq, inArray, lt } from "drizzle-orm";
import { type Address, type Hex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { accountNetworks, accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { availableStates } from "@/db/schema/ledger";
import { readOwnersPolicy } from "@/lib/agents/owners-policy";
import { partyAtLatest } from "@/lib/agents/party-at-latest";
import { readPolicy } from "@/lib/agents/pending-policy";
import type { AgentSignersInput } from "@/lib/agents/schema";
import { setAgentSigners } from "@/lib/agents/set-agent-signers";
import { removeLayer } from "@/lib/agents/wallet-layer";
import { env } from "@/lib/base/env";
import { newId } from "@/lib/base/ids";
import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf, deriveAuthority, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import {
  decryptAgentWallet,
  ENCRYPTED_AGENT_WALLET_LENGTH,
  encryptAgentWallet,
} from "@/lib/ledger/encrypted/agent-wallet";
import { ENCRYPTED_HELD_LENGTH } from "@/lib/ledger/encrypted/held";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { createTransfer } from "@/lib/payments/create-transfer";
import { Agent } from "@/test/accounts/agent";
import { seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { readStaleAgents, readStaleHeld, toStaleHeld } from "./read-stale";
import { relayPaymentKey } from "./relay-payment-key";
import { rotateAccountSecret } from "./rotate-secret";
import { EncryptedInput, type RotateInput } from "./schema";
import { submitEncrypted } from "./submit-encrypted";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let agent: Agent;

beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

/** An account with 9 USDG and an agent with 1, a held payment of 0.5, and a key of each. */
beforeEach(async () => {
  owner = await Owner.funded(CHAIN, 10_000_000n);
  const created = await Agent.create(owner, { hitlThreshold: 0n });
  agent = created.agent;
  const [ownerKey, agentKey] = [await owner.key(), await agent.key()];
  await settled(created.operationId);
  const usual = { asset: "USDG", confidential: true } as const;
  await createTransfer(ownerKey, { ...usual, to: `@${agent.account.handle}`, amount: "1" });
  const asked = { ...usual, to: `@${owner.account.handle}`, amount: "0.5" };
  expect(await createTransfer(agentKey, asked)).toMatchObject({ outcome: "held" });
  await settled(...(await underWay()));
});

async function underWay(): Promise<string[]> {
  const rows = await db()
    .select({ id: operations.id })
    .from(operations)
    .where(inArray(operations.account, [owner.address, agent.address]));
  return rows.map(({ id }) => id);
}

/** The first step of a rotation to version 2, as the owner's client signs it. */
async function rotation({ by = owner.walletKey, ahead = 365 * 86_400, nonce = "1" } = {}): Promise<RotateInput> {
  const { scope, address: account } = owner;
  const paymentKey = lower(derivePaymentKey(deriveAuthority(owner.accountKey, scope, 2), scope).address);
  return { secret_version: 2, document: await setPaymentKey({ account, paymentKey, by, ahead, nonce }) };
}

/** The move to the available balance of `funded` has used the first nonce. */
async function setPaymentKey({
  account,
  paymentKey,
  by,
  ahead,
  nonce = "1",
}: {
  account: Address;
  paymentKey: Address;
  by: Hex;
  ahead: number;
  nonce?: string;
}) {
  const draft = {
    kind: "set_payment_key",
    account,
    payment_key: paymentKey,
    payment_key_until: `${seconds(ahead)}`,
    nonce,
  } as const;
  return signAuthority<"set_payment_key">(owner.scope, { ...draft, deadline: `${seconds(3_600)}` }, keySigner(by));
}

/** A new key for the agent, as the owner's client makes it once the secret has its next version. */
async function rekeying(): Promise<{ input: AgentSignersInput; key: Hex }> {
  const { scope, address } = owner;
  const key = generatePrivateKey();
  const [{ policyVersion }, authority] = [
    await readPolicy(CHAIN, agent.account),
    deriveAgentHalf(deriveAuthority(owner.accountKey, scope, 2), agent.address, scope),
  ];
  const draft = {
    kind: "set_agent_signer" as const,
    owner: address,
    agents: [agent.address],
    signers: [lower(privateKeyToAddress(key))],
    policy_versions: [`${policyVersion}`],
    until: `${NO_END}`,
    deadline: `${seconds(3_600)}`,
  } satisfies AuthorityDraft<"set_agent_signer">;
  const document = await signAuthority<"set_agent_signer">(scope, draft, keySigner(owner.walletKey));
  const wallet = toHex(encryptAgentWallet(authority, { scope, agent: agent.address }, key));
  return { input: { secret_version: 2, document, wallets: [{ agent: agent.address, wallet }] }, key };
}

const lower = (address: Address) => address.toLowerCase() as Address;

/** Everything a rotation changes. */
async function everything() {
  const mine = [owner.address, agent.address];
  const [settings, states, wallets, held, keys, created, log] = await Promise.all([
    db().select().from(accountNetworks).where(eq(accountNetworks.accountId, owner.account.id)),
    db().select().from(availableStates).where(inArray(availableStates.account, mine)),
    db().select().from(agents).where(eq(agents.accountId, agent.account.id)),
    db().select().from(heldPayments).where(eq(heldPayments.rootId, owner.account.id)),
    db().select().from(apiKeys).where(eq(apiKeys.accountId, owner.account.id)),
    db().select({ id: operations.id }).from(operations).where(inArray(operations.account, mine)),
    db().select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.rootId, owner.account.id)),
  ]);
  return { settings, states, wallets, held, keys, created, log };
}

test("of two at once one is carried out: the version is the next, and all keys have ended", async () => {
  const [input, before] = [await rotation(), await everything()];
  const both = await Promise.allSettled([
    rotateAccountSecret(owner.session, input),
    rotateAccountSecret(owner.session, input),
  ]);
  const [done] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "available_balance_changed" },
  });
  expect(done).toMatchObject({ secretVersion: 2, keysEnded: 2 });
  expect(await settled(done?.operation?.id ?? "")).toEqual(["confirmed"]);

  const after = await everything();
  expect(after.settings).toMatchObject([{ secretVersion: 2 }]);
  for (const { revokedAt, wrap, flagWrap } of after.keys) {
    expect([revokedAt, wrap, flagWrap]).toEqual([expect.any(Date), null, null]);
  }
  // What is encrypted waits for its owner's client, each by itself.
  expect([after.states, after.wallets, after.held]).toEqual([before.states, before.wallets, before.held]);
  const entries = await db().select().from(auditLog).where(eq(auditLog.action, "account.secret_rotated"));
  const keys = after.keys.map(({ id }) => id).sort();
  expect(entries.filter(({ rootId }) => rootId === owner.account.id)).toMatchObject([
    { after: { secret_version: 2, payment_key: input.document.payment_key, keys } },
  ]);
  await expect(rotateAccountSecret(owner.session, input)).rejects.toMatchObject({ code: "available_balance_changed" });
});

test("what the ledger would refuse, an earlier version, and a payment key for longer than a year change nothing", async () => {
  const input = await rotation();
  const before = await everything();
  const refused: [Partial<RotateInput>, object][] = [
    [{ secret_version: 1 }, { code: "available_balance_changed" }],
    [await rotation({ by: generatePrivateKey() }), { param: "document.signature" }],
    [await rotation({ ahead: 367 * 86_400 }), { param: "payment_key_until" }],
    [await rotation({ ahead: 3_600 }), { param: "payment_key_until" }],
    [{ document: { ...input.document, account: agent.address } }, { param: "document.account" }],
  ];
  for (const [change, error] of refused) {
    await expect(rotateAccountSecret(owner.session, { ...input, ...change })).rejects.toMatchObject(error);
  }
  expect(await everything()).toEqual(before);
});

test("only what is still under an earlier version is taken, of the account's own held payments", async () => {
  const encrypted = `0x${"ab".repeat(ENCRYPTED_HELD_LENGTH)}` as const;
  const [held] = (await everything()).held;
  const all = { secret_version: 1, held: [{ transaction_id: held?.id ?? "", encrypted }] };
  expect(await submitEncrypted(owner.session, all)).toEqual({ held: 0 });
  await rotateAccountSecret(owner.session, await rotation());
  await expect(submitEncrypted(owner.session, all)).rejects.toMatchObject({ code: "available_balance_changed" });
  const current = { ...all, secret_version: 2 };
  const other = await Owner.create(CHAIN);
  await db().insert(accountNetworks).values({ accountId: other.account.id, chainId: CHAIN, secretVersion: 2 });
  expect(await submitEncrypted(other.session, current)).toEqual({ held: 0 });
  expect(await submitEncrypted(owner.session, current)).toEqual({ held: 1 });
  expect(await submitEncrypted(owner.session, current)).toEqual({ held: 0 });
  expect((await everything()).held).toMatchObject([{ encrypted, secretVersion: 2, status: "pending_approval" }]);
});

test("a rotation gives each agent a new key under the new secret; its policy stays in force", async () => {
  await expect(setAgentSigners(owner.session, (await rekeying()).input)).rejects.toMatchObject({
    code: "available_balance_changed",
    param: "secret_version",
  });
  await rotateAccountSecret(owner.session, await rotation());
  const stale = { list: [{ agent: agent.address, secretVersion: 1 }], hasMore: false };
  expect(await readStaleAgents(owner.session, { limit: 10 })).toMatchObject(stale);
  const { input, key } = await rekeying();
  const { id } = await setAgentSigners(owner.session, input);
  expect(await readStaleAgents(owner.session, { limit: 10 })).toEqual({ list: [], hasMore: false });
  // The version that payments are signed over counts it before it is there, and once after.
  const version = BigInt(input.document.policy_versions[0] ?? "") + 1n;
  expect((await readPolicy(CHAIN, agent.account)).policyVersion).toBe(version);
  expect(await settled(id)).toEqual(["confirmed"]);
  expect(await readPolicy(CHAIN, agent.account)).toMatchObject({ policyVersion: version, follows: [] });
  expect((await partyAtLatest(CHAIN, agent.account)).record.signer.toLowerCase()).toBe(lower(privateKeyToAddress(key)));
  expect((await readOwnersPolicy(owner.session, agent.account.id)).inForce).toBe("yes");

  const [row] = (await everything()).wallets;
  const ref = { scope: owner.scope, agent: agent.address };
  const inner = removeLayer([env().serverPepper], ref, fromHex(row?.wallet ?? "0x"));
  const authority = deriveAgentHalf(deriveAuthority(owner.accountKey, owner.scope, 2), agent.address, owner.scope);
  expect(decryptAgentWallet(authority, ref, inner)).toBe(key);
  expect(row).toMatchObject({ secretVersion: 2, status: "active" });
});

test("200 agents with 50 held payments each are submitted in pieces, none of them larger than the service takes", async () => {
  const [template] = (await everything()).held;
  if (!template) throw new Error("a held payment is needed");
  const ids = Array.from({ length: 200 }, () => newId("account"));
  const rows = ids.map((id, at) => ({
    id,
    handle: `${owner.account.handle}/s${at}`,
    address: toHex(randomBytes(20)),
    type: "agent" as const,
    ownerId: owner.account.id,
    chainId: CHAIN,
    createdAt: new Date(),
  }));
  await db().insert(accounts).values(rows);
  const wallet = `0x${"ab".repeat(ENCRYPTED_AGENT_WALLET_LENGTH)}` as const;
  const wallets = ids.map((accountId) => ({ accountId, wallet, chainId: CHAIN, secretVersion: 1 }));
  await db()
    .insert(agents)
    .values(wallets.map((row) => ({ ...row, status: "active" as const })));
  for (const id of ids) {
    const held = Array.from({ length: 50 }, () => ({ ...template, id: newId("transaction"), agentId: id }));
    await db().insert(heldPayments).values(held);
  }
  await rotateAccountSecret(owner.session, await rotation());
  const encrypted = `0x${"ab".repeat(ENCRYPTED_HELD_LENGTH)}` as const;
  let [taken, requests, largest] = [0, 0, 0];
  for (let after: string | undefined; ; requests++) {
    const page = toStaleHeld(await readStaleHeld(owner.session, { after, limit: 100 }));
    const held = page.held.map(({ transaction_id }) => ({ transaction_id, encrypted }));
    const body = EncryptedInput.parse({ secret_version: 2, held });
    largest = Math.max(largest, JSON.stringify(body).length, JSON.stringify(page).length);
    taken += (await submitEncrypted(owner.session, body)).held;
    after = page.held.at(-1)?.transaction_id;
    if (!page.has_more) break;
  }
  expect([taken, requests]).toEqual([10_001, 100]);
  expect(largest).toBeLessThan(256 * 1024);
  expect(toStaleHeld(await readStaleHeld(owner.session, { limit: 1 }))).toEqual({ held: [], has_more: false });
  const late = and(eq(heldPayments.rootId, owner.account.id), lt(heldPayments.secretVersion, 2));
  expect(await db().$count(heldPayments, late)).toBe(0);
});

test("a renewal keeps the payment key and moves its end; a payment after the end is refused with the remedy, and none is made", async () => {
  const { scope, session } = owner;
  const key = await owner.key();
  const at = and(eq(ledgerAccounts.chainId, CHAIN), eq(ledgerAccounts.address, owner.address));
  await db()
    .update(ledgerAccounts)
    .set({ until: seconds(-1) })
    .where(at);
  const pay = () =>
    createTransfer(key, { asset: "USDG", confidential: true, to: `@${agent.account.handle}`, amount: "1" });
  const created = async () => (await everything()).created.length;
  const before = await created();
  await expect(pay()).rejects.toMatchObject({
    code: "key_forbidden",
    message: expect.stringContaining("renew-payment-key"),
  });
  expect(await created()).toBe(before);

  const [account, by] = [owner.address, owner.walletKey];
  const paymentKey = lower(derivePaymentKey(owner.authority, scope).address);
  const year = 365 * 86_400;
  const longer = await setPaymentKey({ account, paymentKey, by, ahead: 400 * 86_400 });
  await expect(relayPaymentKey(session, longer)).rejects.toMatchObject({ param: "payment_key_until" });
  const another = await setPaymentKey({ account, paymentKey: agent.address, by, ahead: year });
  await expect(relayPaymentKey(session, another)).rejects.toMatchObject({ param: "signature" });
  const renewal = await setPaymentKey({ account, paymentKey, by, ahead: year });
  expect(await settled((await relayPaymentKey(session, renewal)).id)).toEqual(["confirmed"]);
  expect(await pay()).toMatchObject({ outcome: "paid" });
});

test("an account without a payment key pays with no key of its own, and a rotation gives it the next one", async () => {
  const { scope, session, address: account } = owner;
  const key = await owner.key();
  const paid = { asset: "USDG", confidential: true, to: `@${agent.account.handle}`, amount: "1" } as const;
  const ending = { kind: "set_payment_key", account, payment_key: zeroAddress, payment_key_until: "0" } as const;
  const draft = { ...ending, nonce: "1", deadline: `${seconds(3_600)}` };
  const byAgent = await signAuthority<"set_payment_key">(scope, draft, keySigner(generatePrivateKey()));
  await expect(relayPaymentKey(session, byAgent)).rejects.toMatchObject({ param: "signature" });
  const document = await signAuthority<"set_payment_key">(scope, draft, keySigner(owner.walletKey));
  expect(await settled((await relayPaymentKey(session, document)).id)).toEqual(["confirmed"]);
  await expect(createTransfer(key, paid)).rejects.toMatchObject({ code: "key_forbidden" });
  const next = await rotation({ nonce: "2" });
  expect(await settled((await rotateAccountSecret(session, next)).operation?.id ?? "")).toEqual(["confirmed"]);
});
