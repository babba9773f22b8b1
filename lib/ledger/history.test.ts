import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "./crypto/bytes";
import { type BudgetOpening, EMPTY_BUDGET, EMPTY_BUDGET_OPENING } from "./crypto/commitments";
import { deriveBudgetSecret, deriveViewingKey } from "./crypto/keys";
import { foldHistory, newHistory, spendableNotes } from "./history";
import type { MoneyEvent } from "./history-events";
import { planAllocation } from "./prepare/plan-allocation";
import { planFund } from "./prepare/plan-fund";
import { planRelease } from "./prepare/plan-release";
import { planTransfer } from "./prepare/plan-transfer";
import { openNoteMemo } from "./seal/memo";

const scope = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
const [alice, bob, agent, asset] = ["a1", "b0", "a9", "cc"].map((byte) => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
];
const root = (byte: number) => new Uint8Array(32).fill(byte);
const keysOf = (byte: number) => ({
  viewing: deriveViewingKey(root(byte), scope),
  secret: deriveBudgetSecret(root(byte), scope, 1),
});
const [a, b] = [keysOf(1), keysOf(2)];

/** A ledger of one asset in miniature: it only writes the events the contract would, from the very same drafts. */
async function story() {
  const events: MoneyEvent[] = [];
  const emit = (event: Pick<MoneyEvent, "eventName" | "args">) => {
    const position = { blockNumber: BigInt(events.length), logIndex: 0, transactionHash: toHex(root(events.length)) };
    events.push({ ...event, ...position } as MoneyEvent);
  };
  const common = { scope, account: alice, asset, deadline: 9n, payerViewingKey: a.viewing.publicKey, secret: a.secret };
  const opening = (input: Record<string, unknown>, limit: bigint): BudgetOpening => ({
    limit,
    salt: input.newSalt as bigint,
  });
  emit({ eventName: "Deposited", args: { account: alice, asset, units: 1000n } });
  const allocated = await planAllocation({
    ...common,
    budget: EMPTY_BUDGET_OPENING,
    notes: [],
    credit: 900n,
    newLimit: 600n,
    nonce: 1n,
  });
  const d = allocated.draft;
  emit({
    eventName: "Allocated",
    args: {
      account: alice,
      asset,
      oldBudget: EMPTY_BUDGET,
      newBudget: BigInt(d.new_budget),
      notes: d.notes.map(BigInt),
      credit: 900n,
      changeNote: BigInt(d.change_note),
      ciphertext: d.ciphertext,
    },
  });
  const sent = await planTransfer({
    ...common,
    to: bob,
    budget: opening(allocated.input, 600n),
    amount: 250n,
    recipientViewingKey: b.viewing.publicKey,
    memo: "for the boat",
  });
  const t = sent.draft;
  const transferred = {
    account: alice,
    to: bob,
    asset,
    oldBudget: BigInt(t.old_budget),
    newBudget: BigInt(t.new_budget),
    note: BigInt(t.note),
    recipientCiphertext: t.recipient_ciphertext,
    payerCiphertext: t.payer_ciphertext,
  };
  emit({ eventName: "Transferred", args: transferred });
  const released = await planRelease({ ...common, to: bob, budget: opening(sent.input, 350n), amount: 50n });
  const r = released.draft;
  emit({
    eventName: "Released",
    args: {
      account: alice,
      to: bob,
      asset,
      oldBudget: BigInt(r.old_budget),
      newBudget: BigInt(r.new_budget),
      amount: 50n,
      payerCiphertext: r.payer_ciphertext,
    },
  });
  const funded = await planFund({
    ...common,
    to: agent,
    budget: opening(released.input, 300n),
    amount: 120n,
    toBudget: EMPTY_BUDGET_OPENING,
    toSecret: root(9),
  });
  const f = funded.draft;
  emit({
    eventName: "Funded",
    args: {
      from: alice,
      to: agent,
      asset,
      fromOldBudget: BigInt(f.old_budget),
      fromNewBudget: BigInt(f.new_budget),
      toOldBudget: BigInt(f.to_old_budget),
      toNewBudget: BigInt(f.to_new_budget),
      fromCiphertext: f.payer_ciphertext,
      toCiphertext: f.to_ciphertext,
    },
  });
  return { events, memo: t.memo_ciphertext, note: BigInt(t.note), transferred };
}

describe("history", () => {
  it("is recovered from events and the viewing key alone: credit, notes, budget, every amount, the memo's key", async () => {
    const { events, memo, note } = await story();
    const { assets, entries } = await foldHistory(scope, alice, a.viewing.secret, events);
    const mine = assets.get(asset);
    expect(mine?.credit).toBe(100n);
    expect(mine?.budget?.limit).toBe(180n);
    expect(mine && spendableNotes(mine).map((held) => held.amount)).toEqual([300n]);
    expect(entries.map((entry) => [entry.type, entry.amount])).toEqual([
      ["deposit", 1000n],
      ["allocation", 600n],
      ["sent", 250n],
      ["released", 50n],
      ["funded_out", 120n],
    ]);
    const sent = entries.find((entry) => entry.type === "sent");
    expect(openNoteMemo(scope, note, sent?.noteSalt ?? 0n, fromHex(memo ?? "0x"))).toBe("for the boat");
  });

  it("shows the recipient what it received, and an agent's budget to its owner", async () => {
    const { events } = await story();
    const received = await foldHistory(scope, bob, b.viewing.secret, events);
    expect(received.entries.map((entry) => [entry.type, entry.amount])).toEqual([["received", 250n]]);
    const ofAgent = await foldHistory(scope, agent, a.viewing.secret, events);
    expect(ofAgent.assets.get(asset)?.budget?.limit).toBe(120n);
    expect(ofAgent.entries.map((entry) => [entry.type, entry.amount])).toEqual([["funded_in", 120n]]);
  });

  it("opens nothing hidden for another viewing key, and says so by null", async () => {
    const { events } = await story();
    const { assets, entries } = await foldHistory(scope, alice, b.viewing.secret, events);
    expect(assets.get(asset)?.budget).toBeNull();
    expect([...assets.values()].map(spendableNotes)).toEqual([[]]);
    expect(entries.map((entry) => entry.amount)).toEqual([1000n, null, null, 50n, null]);
  });

  it("keeps a note with a worthless ciphertext, unreadable, without losing the rest", async () => {
    const { events, transferred } = await story();
    const spam = { ...transferred, recipientCiphertext: `0x${"00".repeat(88)}` as const, note: 77n };
    const position = { blockNumber: 99n, logIndex: 0, transactionHash: toHex(root(9)) };
    const all = [...events, { eventName: "Transferred" as const, args: spam, ...position }];
    const { assets } = await foldHistory(scope, bob, b.viewing.secret, all);
    expect(assets.get(asset)?.notes.get(77n)).toMatchObject({ opening: null, spent: false });
    expect(assets.get(asset)?.notes.size).toBe(2);
  });

  it("is the same in one go, in parts, and from events out of order", async () => {
    const { events } = await story();
    const whole = await foldHistory(scope, alice, a.viewing.secret, events);
    const parts = newHistory();
    for (const event of events) await foldHistory(scope, alice, a.viewing.secret, [event], parts);
    expect(parts).toEqual(whole);
    expect(await foldHistory(scope, alice, a.viewing.secret, events.toReversed())).toEqual(whole);
  });

  it("marks allocated notes spent, and an abandoned budget empty", async () => {
    const { events } = await story();
    const before = await foldHistory(scope, alice, a.viewing.secret, events);
    const change = [...(before.assets.get(asset)?.notes.keys() ?? [])];
    const position = { logIndex: 0, transactionHash: toHex(root(9)) };
    const holding = before.assets.get(asset);
    const { draft } = await planAllocation({
      scope,
      account: alice,
      asset,
      deadline: 9n,
      payerViewingKey: a.viewing.publicKey,
      secret: a.secret,
      budget: holding?.budget ?? EMPTY_BUDGET_OPENING,
      notes: holding ? spendableNotes(holding) : [],
      credit: 0n,
      newLimit: 480n,
      nonce: 2n,
    });
    const after = await foldHistory(
      scope,
      alice,
      a.viewing.secret,
      [
        {
          ...position,
          blockNumber: 50n,
          eventName: "Allocated",
          args: {
            account: alice,
            asset,
            oldBudget: BigInt(draft.old_budget),
            newBudget: BigInt(draft.new_budget),
            notes: draft.notes.map(BigInt),
            credit: 0n,
            changeNote: BigInt(draft.change_note),
            ciphertext: draft.ciphertext,
          },
        },
        {
          ...position,
          blockNumber: 51n,
          eventName: "Abandoned",
          args: { account: alice, asset, oldBudget: BigInt(draft.new_budget) },
        },
      ],
      before,
    );
    expect(change.map((note) => after.assets.get(asset)?.notes.get(note)?.spent)).toEqual([true]);
    expect(after.assets.get(asset)).toMatchObject({ budgetWord: EMPTY_BUDGET, budget: EMPTY_BUDGET_OPENING });
    expect(after.entries.slice(-2).map((entry) => [entry.type, entry.amount])).toEqual([
      ["allocation", 480n],
      ["abandoned", 480n],
    ]);
  });
});
