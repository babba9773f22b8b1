import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { lowerAddress, readRecord } from "@/lib/chain/registry";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { findOwnAgent } from "./find-own-agent";
import { listAgents } from "./list-agents";
import { enrollAgentCall, ownerRecord, type Registration, recordAgent } from "./record-agent";

const CHAIN = 46630;
let services: LocalServices;

beforeAll(async () => {
  services = await startLocalServices();
});

afterAll(() => services?.stop());

/** Returns what an owner's client would send for an agent with this wallet. */
async function registrationOf(owner: Owner, privateKey = generatePrivateKey()): Promise<Registration> {
  const { scope, authority } = owner;
  const address = lowerAddress(privateKeyToAddress(privateKey));
  const deadline = seconds(3_600);
  const request = signRequestOf(scope, "EnrollAgent", { agent: address, owner: owner.address, nonce: 0n, deadline });
  return {
    address,
    wallet: toHex(
      encryptAgentWallet(deriveAgentHalf(authority, address, scope), { scope, agent: address }, privateKey),
    ),
    deadline,
    ownerSignature: await keySigner(derivePaymentKey(authority, scope).privateKey)(request),
    agentSignature: await keySigner(privateKey)(request),
    secretVersion: 1,
    first: await firstPolicy(owner, address),
  };
}

async function firstPolicy(owner: Owner, agent: Registration["address"]): Promise<Registration["first"]> {
  const { document, salt } = await signPolicyAs(owner, agent, { policy: DENY_ALL, paused: false, version: 1n });
  return { document, setting: { salt: fromHex(salt), version: 1n, resolved: [] }, byContract: false };
}

const operationsOf = (address: Registration["address"]) =>
  db().select().from(operations).where(eq(operations.account, address)).orderBy(operations.id);

test("an agent whose enrollment fails is not listed, does not count as enrolled, and its name is free again", async () => {
  const [alice, mallory] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  await withWorker(async () => {
    await settled(await alice.enroll(), await mallory.enroll());
  });
  const record = async (registration: Registration) =>
    recordAgent(alice.session, { name: "bot" }, await ownerRecord(alice.session), registration, async () => {});

  // The wallet is enrolled for another owner before the service's own transaction is mined.
  const privateKey = generatePrivateKey();
  const taken = await registrationOf(alice, privateKey);
  await sendFromFaucet(CHAIN, enrollAgentCall(mallory.address, await registrationOf(mallory, privateKey)));
  const lost = await record(taken);
  expect(await listAgents(alice.session)).toEqual([lost]);
  expect(await readRecord(CHAIN, taken.address)).toMatchObject({ pending: true, owner: alice.address });
  const fresh = await registrationOf(alice);
  await withWorker(async () => {
    const both = await operationsOf(taken.address);
    expect(both.map(({ kind }) => kind)).toEqual(["enroll_agent", "set_policy"]);
    expect(await settled(...both.map(({ id }) => id))).toEqual(["failed", "failed"]);
    await expect(findOwnAgent(alice.session, `${alice.account.handle}/bot`)).rejects.toMatchObject({
      code: "not_found",
    });
    const created = await record(fresh);
    const second = await operationsOf(fresh.address);
    expect(await settled(...second.map(({ id }) => id))).toEqual(["confirmed", "confirmed"]);
    expect((await listAgents(alice.session)).map(({ id }) => id)).toContain(created.id);
  });
  expect(await readRecord(CHAIN, fresh.address)).toMatchObject({ pending: false, owner: alice.address });
  // On chain the wallet belongs to mallory, so no one may be paid there through alice's name for it.
  expect(await readRecord(CHAIN, taken.address)).toMatchObject({ pending: false, owner: mallory.address });
  expect((await listAgents(alice.session)).map(({ id }) => id)).not.toContain(lost.id);
});

test("an enrollment that someone else's transaction carried counts as carried out", async () => {
  const alice = await Owner.create(CHAIN);
  await withWorker(async () => {
    await settled(await alice.enroll());
  });
  const registration = await registrationOf(alice);
  await sendFromFaucet(CHAIN, enrollAgentCall(alice.address, registration));
  const created = await recordAgent(
    alice.session,
    { name: "bot" },
    await ownerRecord(alice.session),
    registration,
    async () => {},
  );
  await withWorker(async () => {
    const [operation] = await operationsOf(registration.address);
    expect(await settled(operation?.id ?? "")).toEqual(["confirmed"]);
  });
  expect(await listAgents(alice.session)).toEqual([created]);
});
