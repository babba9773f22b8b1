import fc from "fast-check";
import { type Address, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { address, bytes, limits, units } from "@/test/ledger/arbitraries";
import { agent, alice, aliceKeys, asset, bob, SmallLedger, scope } from "@/test/ledger/small-ledger";
import { availableCommitment } from "../crypto/commitments";
import { LedgerError } from "../crypto/errors";
import { commitmentToHex, hexToCommitment } from "../crypto/field";
import { policyCommitment } from "../crypto/policy-commitment";
import { foldHistory } from "../history/fold-history";
import { NO_OPTIONAL_RULES, policyDocumentHash } from "../policy/policy-document";
import { policyCommitmentSalt } from "../policy/policy-salts";
import { ANY_RECIPIENT, allowsOnChain } from "../policy/recipients-tree";
import { AuthorityDocumentSchema } from "./authority-documents";
import { MAX_AGENTS_AT_ONCE, NO_END } from "./authority-limits";
import type { LedgerParty, LedgerRecord } from "./ledger-record";
import { planAbandon } from "./plan-abandon";
import { planAgentSigners } from "./plan-agent-signers";
import { planRotation } from "./plan-rotation";
import { planSetPolicy } from "./plan-set-policy";

const NOW = 1_800_000_000n;
const record = (some: Partial<LedgerRecord> = {}): LedgerRecord => ({
  viewingKey: `0x${"01".repeat(32)}`,
  owner: zeroAddress,
  signer: bob,
  until: NO_END,
  nonce: 4n,
  policyVersion: 7n,
  guarded: false,
  limited: false,
  ...some,
});
const readable = (draft: object) =>
  expect(AuthorityDocumentSchema.parse({ ...draft, signature: "0x01" })).toMatchObject(draft);
const historyOf = (who: Address, { events }: SmallLedger) => foldHistory(scope, who, aliceKeys.secret, events);

async function started(): Promise<SmallLedger> {
  const ledger = new SmallLedger();
  ledger.deposit(1000n);
  await ledger.makeAvailable(600n);
  await ledger.fund(alice, agent, 200n);
  return ledger;
}

describe("a planned policy", () => {
  it("names commitments that open to its limits, its recipients and its document, over the version before", () => {
    fc.assert(
      fc.property(bytes(32), address, fc.bigInt(1n, 1n << 40n), limits, address, (salt, holder, version, some, to) => {
        const hours = { start: 0, end: 1440 };
        const assets = [{ asset, allowed: true, ...some }];
        const document = {
          scope,
          holder,
          version,
          paused: false,
          hours,
          zone: "UTC",
          assets,
          recipients: ["@bob"],
          ...NO_OPTIONAL_RULES,
        };
        const { draft, tree } = planSetPolicy(salt, document, [to], NOW);
        readable(draft);
        expect(draft.policy_version).toBe((version - 1n).toString());
        expect(draft.document_hash).toBe(policyDocumentHash(salt, document));
        const commitment = policyCommitment({ ...some, salt: policyCommitmentSalt(salt, document, asset) });
        expect(draft.commitments.map(hexToCommitment)).toEqual([commitment]);
        const proof = tree.proofOf(to);
        expect(proof && allowsOnChain(draft.recipients_root, holder, to, proof)).toBe(true);
        expect(planSetPolicy(salt, document, "anyone", NOW, false).draft).toMatchObject({
          limited: false,
          recipients_root: ANY_RECIPIENT,
        });
      }),
      { numRuns: 20 },
    );
  });
});

describe("planned signers of agents", () => {
  const party = fc.record({
    address,
    ended: fc.boolean(),
    until: fc.constantFrom(NO_END, NOW - 1n, NOW + 50n),
    policyVersion: units,
  });

  it("name every agent that has not ended, once, over its own version and with its own end", () => {
    fc.assert(
      fc.property(fc.uniqueArray(party, { maxLength: 120, selector: ({ address: one }) => one }), (list) => {
        const agents: LedgerParty[] = list.map(({ address: one, ended, until, policyVersion }) => ({
          address: one,
          record: record({ owner: alice, signer: ended ? zeroAddress : one, until, policyVersion }),
        }));
        const signerOf = (one: Address) => (one.endsWith("0") ? null : bob);
        const drafts = planAgentSigners(alice, agents, signerOf, NOW, NOW + 9n);
        for (const draft of drafts) {
          readable(draft);
          expect(draft.agents.length).toBeLessThanOrEqual(MAX_AGENTS_AT_ONCE);
        }
        const named = drafts.flatMap(({ agents: some, signers, policy_versions, until }) =>
          some.map((one, at) => [one, signers[at], policy_versions[at], until]),
        );
        const living = list.filter(({ ended, until }) => !ended && until >= NOW);
        const expected = living.map(({ address: one, until, policyVersion }) => [
          one,
          signerOf(one) ?? zeroAddress,
          policyVersion.toString(),
          until.toString(),
        ]);
        expect(named.sort()).toEqual(expected.sort());
      }),
      { numRuns: 20 },
    );
  });

  it("are one call where no agent has an end, and refused for another owner's agent", () => {
    const agents = [agent, bob].map((one) => ({ address: one, record: record({ owner: alice }) }));
    expect(planAgentSigners(alice, agents, () => null, NOW, NOW)).toHaveLength(1);
    expect(() => planAgentSigners(bob, agents, () => null, NOW, NOW)).toThrow(LedgerError);
  });
});

describe("a planned abandonment", () => {
  it("is of what is lost, over its commitment and the nonces in turn, and of nothing that opens", async () => {
    const ledger = await started();
    const party = { address: alice, record: record() };
    expect(planAbandon(party, await historyOf(alice, ledger), NOW)).toEqual([]);
    await ledger.pay(alice, bob, 5n, { poisoned: true });
    const [step, ...others] = planAbandon(party, await historyOf(alice, ledger), NOW);
    expect(others).toEqual([]);
    expect(step).toMatchObject({ asset, atMost: 399n, deposited: 0n, notes: 400n });
    expect(step?.draft).toMatchObject({
      nonce: "4",
      old_available: commitmentToHex(availableCommitment(ledger.availableOf(alice))),
    });
    readable(step?.draft ?? {});
    ledger.abandon(alice);
    expect(planAbandon(party, await historyOf(alice, ledger), NOW)).toEqual([]);
  });

  it("takes one nonce after the other for several assets", async () => {
    const ledger = await started();
    await ledger.pay(alice, bob, 5n, { poisoned: true });
    const history = await historyOf(alice, ledger);
    const second: Address = `0x${"dd".repeat(20)}`;
    history.assets.set(second, { ...(history.assets.get(asset) as never as object) } as never);
    const drafts = planAbandon({ address: alice, record: record() }, history, NOW).map(({ draft }) => draft);
    expect(drafts.map((draft) => [draft.asset, draft.nonce])).toEqual([
      [asset, "4"],
      [second, "5"],
    ]);
    expect(planAbandon({ address: alice, record: record() }, history, NOW, [second])).toHaveLength(1);
  });
});

describe("a planned rotation", () => {
  it("begins with the payment key, re-salts what opens, and waits for nothing that is lost", async () => {
    const ledger = await started();
    await ledger.pay(alice, bob, 5n, { poisoned: true });
    await ledger.pay(agent, bob, 5n, { poisoned: true });
    const owner = { address: alice, record: record(), history: await historyOf(alice, ledger) };
    const itsRecord = record({ owner: alice, nonce: 9n, limited: true });
    const its = { address: agent, record: itsRecord, history: await historyOf(agent, ledger) };
    const request = { paymentKey: bob, paymentKeyUntil: NOW + 99n, signerOf: () => bob, now: NOW, deadline: NOW + 9n };
    const plan = planRotation(owner, [its], request);
    readable(plan.setPaymentKey);
    expect(plan.setPaymentKey).toMatchObject({ nonce: "4", payment_key: bob });
    expect(plan.setAgentSigners).toMatchObject([{ agents: [agent], signers: [bob], policy_versions: ["7"] }]);
    expect(plan.resalt).toEqual([[{ account: agent, asset, available: ledger.availableOf(agent), nonce: 9n }]]);
    expect(plan.lost).toEqual([{ account: alice, asset }]);
  });

  it("gives the owner's moves to the available balance the nonces after the payment key's, and re-salts ended agents too", async () => {
    const ledger = await started();
    const owner = { address: alice, record: record(), history: await historyOf(alice, ledger) };
    const ended = record({ owner: alice, signer: zeroAddress, limited: true });
    const its = { address: agent, record: ended, history: await historyOf(agent, ledger) };
    const request = { paymentKey: bob, paymentKeyUntil: NOW, signerOf: () => bob, now: NOW, deadline: NOW };
    const plan = planRotation(owner, [its], request);
    expect(plan.setAgentSigners).toEqual([]);
    expect(plan.resalt.flat().map(({ account, nonce }) => [account, nonce])).toEqual([
      [alice, 5n],
      [agent, 4n],
    ]);
  });
});
