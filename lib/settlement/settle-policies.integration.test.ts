import { asc, eq } from "drizzle-orm";
import { type Hex, zeroHash } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { availableStates } from "@/db/schema/ledger";
import { nextNonce } from "@/lib/balances/available";
import { newId } from "@/lib/base/ids";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import {
  ASSET,
  apply,
  CHAIN,
  newCommitment,
  newParty,
  newPayment,
  type Party,
  place,
  released,
  statusOf,
} from "@/test/settlement/final-payments";
import { failOperations } from "./fail-operations";

let services: SharedServices;
let payer: Party;
let bob: Party;
let carol: Party;

beforeAll(async () => {
  services = await startSharedServices();
});

beforeEach(async () => {
  [payer, bob, carol] = [await newParty(), await newParty(), await newParty()];
});

afterAll(() => services?.stop());

const policySet = (version: bigint, some: Partial<LedgerEvent<"PolicySet">["args"]> = {}): LedgerEvent => ({
  ...place(),
  eventName: "PolicySet",
  args: {
    account: payer.address,
    policyVersion: version,
    limited: true,
    recipientsRoot: zeroHash,
    documentHash: zeroHash,
    assets: [],
    commitments: [],
    ...some,
  },
});

const signerSet = (agent: Party, signer: Hex, policyVersion: bigint): LedgerEvent => ({
  ...place(),
  eventName: "AgentSignerSet",
  args: { agent: agent.address, signer, until: (1n << 40n) - 1n, policyVersion },
});

const states = () => db().select().from(availableStates).where(eq(availableStates.account, payer.address));
const recordOf = async ({ address }: Party) =>
  (await db().select().from(ledgerAccounts).where(eq(ledgerAccounts.address, address)))[0];

describe("a later version of a policy", () => {
  const chainOfPayments = async (versions: readonly (bigint | undefined)[]) => {
    const commitments = Array.from({ length: versions.length + 1 }, newCommitment);
    const ids: string[] = [];
    for (const [index, policyVersion] of versions.entries()) {
      const [oldCommitment, commitment] = [commitments[index] as Hex, commitments[index + 1] as Hex];
      const paid = [{ to: bob, note: newCommitment() }];
      ids.push(await newPayment({ payer, paid, oldCommitment, newCommitment: commitment, policyVersion }));
    }
    return ids;
  };

  test("fails every pending payment of an earlier one, and what builds on it, in the transaction of its event", async () => {
    const [first, second, built] = await chainOfPayments([3n, 3n, 4n]);
    const other = await newPayment({
      payer: bob,
      paid: [{ to: carol, note: newCommitment() }],
      oldCommitment: newCommitment(),
      newCommitment: newCommitment(),
      policyVersion: 3n,
    });
    await apply([policySet(4n)]);
    for (const id of [first, second, built]) expect(await statusOf(id ?? "")).toEqual(["failed", "failed"]);
    expect(await statusOf(other)).toEqual(["pending", "pending"]);
    expect(new Set((await states()).map(({ status }) => status))).toEqual(new Set(["void"]));
    const said = await db().select().from(events).where(eq(events.accountId, payer.id));
    expect(said.map(({ type }) => type)).toEqual(Array(3).fill("transfer.failed"));
    expect(await recordOf(payer)).toMatchObject({ policyVersion: 4n, limited: true, guarded: true, nonce: 0n });
  });

  test("leaves payments that were signed over it, and such as the same blocks show", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const paymentId = newCommitment();
    const over = { payer, oldCommitment: commitments[0], newCommitment: commitments[1] };
    const paid = await newPayment({ ...over, paid: [{ to: bob, paymentId }], policyVersion: 3n });
    const next = await newPayment({
      payer,
      paid: [{ to: bob, note: newCommitment() }],
      oldCommitment: commitments[1],
      newCommitment: newCommitment(),
      policyVersion: 4n,
    });
    await apply([released(payer, bob, paymentId, commitments), policySet(4n)]);
    expect(await statusOf(paid)).toEqual(["confirmed", "confirmed"]);
    expect(await statusOf(next)).toEqual(["pending", "pending"]);
  });

  test("fails a payment that was written after its event with the next final block", async () => {
    await apply([policySet(4n)]);
    const [late] = await chainOfPayments([3n]);
    await apply([]);
    expect(await statusOf(late ?? "")).toEqual(["failed", "failed"]);
  });

  const setPolicy = async (documentHash: Hex, policyVersion: bigint) => {
    const document: AuthorityDocumentOf<"set_policy"> = {
      kind: "set_policy",
      account: payer.address,
      limited: true,
      recipients_root: zeroHash,
      document_hash: documentHash,
      assets: [ASSET],
      commitments: [zeroHash],
      policy_version: policyVersion.toString(),
      deadline: "1",
      signature: "0x01",
    };
    const id = newId("operation");
    const deadline = new Date(Date.now() + 3_600_000);
    const call = { account: payer.address, target: ASSET, data: authorityCalldata(document), gas: 0n, relayer: ASSET };
    const row = {
      id,
      chainId: CHAIN,
      kind: "set_policy",
      status: "pending",
      ...call,
      deadline,
      policyVersion,
    } as const;
    await db()
      .insert(operations)
      .values({ ...row, createdAt: new Date() });
    return id;
  };

  test("confirms the operation that set it, also when a stranger carried it, and fails another over the same version", async () => {
    const [mine, others]: [Hex, Hex] = [newCommitment(), newCommitment()];
    const [set, late] = [await setPolicy(mine, 3n), await setPolicy(others, 3n)];
    await apply([policySet(4n, { documentHash: mine, assets: [ASSET], commitments: [0n] })]);
    expect(await statusOf(set)).toEqual(["confirmed"]);
    expect(await statusOf(late)).toEqual(["failed"]);
  });

  test("comes with a new signer too; an agent without one has ended, and one that has one again is paused", async () => {
    const agent = await newParty(payer);
    const wallet = "0x" as const;
    await db()
      .insert(agents)
      .values({ accountId: agent.id, chainId: CHAIN, status: "active", wallet, secretVersion: 1 });
    const status = async () => (await db().select().from(agents).where(eq(agents.accountId, agent.id)))[0]?.status;
    const spend = (policyVersion: bigint) =>
      newPayment({
        payer: agent,
        paid: [{ to: bob, note: newCommitment() }],
        oldCommitment: newCommitment(),
        newCommitment: newCommitment(),
        policyVersion,
      });
    const pending = await spend(0n);
    await apply([signerSet(agent, bob.address, 1n)]);
    expect(await statusOf(pending)).toEqual(["failed", "failed"]);
    expect(await status()).toBe("active");
    await apply([signerSet(agent, `0x${"00".repeat(20)}`, 2n)]);
    expect(await status()).toBe("ended");
    // Operations that end other agents may be pending, so other agents don't change.
    await apply([signerSet(await newParty(payer), bob.address, 1n)]);
    await apply([signerSet(agent, `0x${"00".repeat(20)}`, 2n)]);
    await apply([signerSet(agent, bob.address, 3n)]);
    expect(await status()).toBe("paused");
    expect(await recordOf(agent)).toMatchObject({ signer: bob.address, policyVersion: 3n, limited: true });
    const announced = await db().select().from(events).where(eq(events.rootId, payer.id)).orderBy(asc(events.id));
    const ofAgent = announced.filter(({ accountId, type }) => accountId === agent.id && type.startsWith("agent."));
    expect(ofAgent.map(({ type }) => type)).toEqual(["agent.ended", "agent.paused"]);
  });

  const setGuarded = async (on: boolean) => {
    const document = { kind: "set_guarded", account: payer.address, guarded: on, nonce: "0", deadline: "1" } as const;
    const id = newId("operation");
    const data = authorityCalldata({ ...document, signature: "0x01" });
    const call = { account: payer.address, target: ASSET, data, gas: 0n, relayer: ASSET };
    const times = { deadline: new Date(Date.now() + 3_600_000), createdAt: new Date() };
    await db()
      .insert(operations)
      .values({ id, chainId: CHAIN, kind: "set_guarded", status: "pending", ...call, ...times });
    return id;
  };

  test("an owner's guard uses a nonce, a policy that implies it uses none", async () => {
    const guarded = (on: boolean): LedgerEvent => ({
      ...place(),
      eventName: "Guarded",
      args: { account: payer.address, guarded: on },
    });
    const sent = await setGuarded(true);
    await apply([guarded(true), guarded(false), policySet(1n)]);
    // Someone else may have sent it.
    expect(await statusOf(sent)).toEqual(["confirmed"]);
    expect(await recordOf(payer)).toMatchObject({ nonce: 2n, guarded: true, limited: true });
    await apply([policySet(2n, { limited: false })]);
    expect(await recordOf(payer)).toMatchObject({ nonce: 2n, guarded: true, limited: false });
  });
});

describe("an available balance that the wallet gave up by itself", () => {
  const abandonOf = async ({ address: account }: Party, asset: Hex) => {
    const commitment = `0x${"22".repeat(32)}` as const;
    const document = { kind: "abandon", account, asset, old_available: commitment, nonce: "0", deadline: "1" } as const;
    const id = newId("operation");
    const data = authorityCalldata({ ...document, signature: "0x01" });
    const times = { deadline: new Date(Date.now() + 3_600_000), createdAt: new Date() };
    const call = { account, target: ASSET, data, gas: 0n, relayer: ASSET };
    await db()
      .insert(operations)
      .values({ id, chainId: CHAIN, kind: "abandon", status: "pending", ...call, ...times });
    return id;
  };

  test("confirms the operation that was to do so, whose nonce counts once; others stay", async () => {
    const asset: Hex = `0x${"b6".repeat(20)}`;
    const [sent, ofOther, inOther] = [
      await abandonOf(payer, ASSET),
      await abandonOf(bob, ASSET),
      await abandonOf(payer, asset),
    ];
    const next = () => db().transaction((tx) => nextNonce(tx, { chainId: CHAIN, account: payer.address }));
    expect(await next()).toBe(2n);
    await apply([
      { ...place(), eventName: "Abandoned", args: { account: payer.address, asset: ASSET, oldAvailable: 5n } },
    ]);
    expect(await statusOf(sent)).toEqual(["confirmed"]);
    for (const other of [ofOther, inOther]) expect(await statusOf(other)).toEqual(["pending"]);
    expect(await next()).toBe(2n);
  });
});

test("what is under way for an agent fails with its enrollment", async () => {
  const agent = await newParty(payer);
  await db().update(ledgerAccounts).set({ enrolledBlock: null }).where(eq(ledgerAccounts.address, agent.address));
  const row = { chainId: CHAIN, status: "pending", target: ASSET, data: "0x", gas: 0n, relayer: ASSET } as const;
  const times = { deadline: new Date(), createdAt: new Date() };
  const [enroll, policy] = [newId("operation"), newId("operation")];
  await db()
    .insert(operations)
    .values([
      { ...row, ...times, id: enroll, kind: "enroll_agent", account: agent.address },
      { ...row, ...times, id: policy, kind: "set_policy", account: agent.address, policyVersion: 0n },
    ]);
  await db().transaction((tx) => failOperations(tx, [enroll], new Date()));
  expect(await statusOf(policy)).toEqual(["failed"]);
  expect(await recordOf(agent)).toBeUndefined();
  expect((await db().select().from(accounts).where(eq(accounts.id, agent.id)))[0]?.handle).toContain("#");
});
