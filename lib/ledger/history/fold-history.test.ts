import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agent, alice, aliceKeys, asset, bob, bobKeys, SmallLedger, scope } from "@/test/ledger/small-ledger";
import { toHex } from "../crypto/bytes";
import { EMPTY_AVAILABLE, EMPTY_AVAILABLE_OPENING } from "../crypto/commitments";
import { epochPaymentSeed } from "../crypto/epoch-seed";
import { decryptNoteMemo, encryptNoteMemo } from "../encrypted/memo";
import { LEDGER_EVENTS, MONEY_EVENTS } from "../ledger-events";
import { newHistory, spendableNotes } from "./account-history";
import { foldHistory } from "./fold-history";

const own = (who: typeof alice, { events }: SmallLedger) => foldHistory(scope, who, aliceKeys.secret, events);
const amount = fc.bigInt(1n, 1_000_000n);
const mode = fc.constantFrom(0, 1, 2);
const day = fc.bigInt(1n, 40_000n);

type Step = (ledger: SmallLedger) => Promise<void> | void;
const step: fc.Arbitrary<Step> = fc.oneof(
  amount.map(
    (units): Step =>
      (ledger) =>
        ledger.deposit(units),
  ),
  amount.map(
    (units): Step =>
      (ledger) => {
        const { limit } = ledger.availableOf(alice);
        return ledger.makeAvailable((limit + ledger.deposited) / 2n + (units % 2n));
      },
  ),
  fc.tuple(amount, mode, day, fc.boolean(), fc.constantFrom(alice, agent)).map(
    ([units, m, d, poisoned, from]): Step =>
      (ledger) => {
        if (ledger.availableOf(from).limit < units) return;
        const options = { mode: m as 0 | 1 | 2, day: d, poisoned: poisoned && from === agent };
        return ledger.pay(from, bob, units, options);
      },
  ),
  fc.tuple(amount, mode, day, fc.boolean(), fc.constantFrom(alice, agent)).map(
    ([units, m, d, poisoned, from]): Step =>
      (ledger) => {
        if (ledger.availableOf(from).limit < units) return;
        const options = { mode: m as 0 | 1 | 2, day: d, poisoned: poisoned && from === agent };
        return ledger.release(from, bob, units, options);
      },
  ),
  fc.tuple(fc.array(amount, { minLength: 2, maxLength: 4 }), fc.constantFrom(alice, agent)).map(
    ([units, from]): Step =>
      (ledger) => {
        if (ledger.availableOf(from).limit < units.reduce((sum, one) => sum + one)) return;
        return ledger.payMany(from, [from === alice ? agent : alice, bob], units);
      },
  ),
  fc.tuple(amount, fc.boolean()).map(
    ([units, back]): Step =>
      (ledger) => {
        const [from, to] = back ? [agent, alice] : [alice, agent];
        if (ledger.availableOf(from).limit < units) return;
        return ledger.fund(from, to, units);
      },
  ),
  fc.constantFrom(alice, agent).map(
    (who): Step =>
      (ledger) => {
        if (ledger.availableOf(who).salt !== 0n) ledger.abandon(who);
      },
  ),
);

/** Creates a ledger on which both accounts have money. */
async function started(): Promise<SmallLedger> {
  const ledger = new SmallLedger();
  ledger.deposit(100_000_000n);
  await ledger.makeAvailable(50_000_000n);
  await ledger.fund(alice, agent, 20_000_000n);
  return ledger;
}

describe("the history of an account", () => {
  it("invariant 26: is recovered from every event that moves money: amounts of batches and what was counted included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const ledger = await started();
        for (const one of steps) await one(ledger);
        for (const who of [alice, agent]) {
          const { assets, entries } = await own(who, ledger);
          const held = assets.get(asset);
          expect(held?.available).toEqual(ledger.availableOf(who));
          expect(held?.deposited).toBe(who === alice ? ledger.deposited : 0n);
          const notes = (ledger.notes.get(who) ?? []).toSorted((a, b) => Number(b.amount - a.amount));
          expect(held && spendableNotes(held).map((note) => note.amount)).toEqual(notes.map((note) => note.amount));
          const mine = ledger.entries.filter((entry) => entry.who === who);
          expect(entries.map(({ type, amount: units }) => ({ who, type, amount: units }))).toEqual(mine);
        }
        const received = await foldHistory(scope, bob, bobKeys.secret, ledger.events);
        const his = ledger.entries.filter((entry) => entry.who === bob);
        expect(received.entries.map((entry) => entry.amount)).toEqual(his.map((entry) => entry.amount));
      }),
      { numRuns: 12 },
    );
  });

  it("has the last two epochs of payments with a home key, of the account and of its agent", async () => {
    const marksOf = (epoch: number, request: number) => {
      const [seed, tag] = [new Uint8Array(32).fill(epoch), new Uint8Array(16).fill(request)];
      return { seed: epochPaymentSeed({ seed }, scope, tag), tag, epoch: { seed, opened: 0 } };
    };
    for (const who of [alice, agent]) {
      const ledger = await started();
      await ledger.pay(who, bob, 5n, { marks: marksOf(1, 1) });
      await ledger.pay(who, bob, 5n);
      await ledger.release(who, bob, 5n, { marks: marksOf(2, 2) });
      await ledger.pay(who, bob, 5n, { marks: marksOf(2, 3) });
      await ledger.release(who, bob, 5n, { marks: marksOf(3, 4) });
      const { assets } = await own(who, ledger);
      const seen = assets.get(asset)?.epochs.map(({ seed, blockNumber }) => [seed[0], blockNumber]);
      expect(seen).toEqual([
        [2, 6n],
        [3, 8n],
      ]);
      expect(assets.get(asset)?.available).toEqual(ledger.availableOf(who));
    }
  });

  it("has the epoch of a batch with a home key", async () => {
    const ledger = await started();
    const epoch = { seed: new Uint8Array(32).fill(4), opened: 0 };
    await ledger.payMany(alice, [bob, bob], [5n, 5n], epoch);
    const { assets, entries } = await own(alice, ledger);
    expect(assets.get(asset)?.epochs.map(({ seed }) => seed[0])).toEqual([4]);
    expect(assets.get(asset)?.available).toEqual(ledger.availableOf(alice));
    expect(entries.slice(-2).map((entry) => entry.amount)).toEqual([5n, 5n]);
  });

  it("knows every event of the ledger: those that it leaves out move no money", () => {
    const others = LEDGER_EVENTS.map(({ name }) => name).filter((name) => !MONEY_EVENTS.some((one) => one === name));
    expect(others).toEqual([
      "Enrolled",
      "PaymentKeySet",
      "Guarded",
      "AgentEnrolled",
      "AgentSignerSet",
      "PolicySet",
      "AssetListed",
      "DepositLimitSet",
    ]);
  });

  it("is the same in one go, event by event, out of order, and from addresses with a checksum", async () => {
    const ledger = await started();
    await ledger.pay(agent, bob, 5n, { poisoned: true });
    await ledger.payMany(alice, [bob, agent], [1n, 2n, 3n]);
    const whole = await own(alice, ledger);
    const parts = newHistory();
    for (const event of ledger.events) await foldHistory(scope, alice, aliceKeys.secret, [event], parts);
    expect(parts).toEqual(whole);
    expect(await foldHistory(scope, alice, aliceKeys.secret, ledger.events.toReversed())).toEqual(whole);
    const upper = ledger.events.map((event) => {
      const args = Object.entries(event.args).map(([name, value]) =>
        typeof value === "string" ? [name, `0x${value.slice(2).toUpperCase()}`] : [name, value],
      );
      return { ...event, args: Object.fromEntries(args) };
    });
    expect(await foldHistory(scope, alice, aliceKeys.secret, upper)).toEqual(whole);
  });

  it("opens nothing hidden for another viewing key, and says so by null", async () => {
    const ledger = await started();
    await ledger.payMany(alice, [bob], [1n, 2n]);
    await ledger.release(alice, bob, 9n);
    const { assets, entries } = await foldHistory(scope, alice, bobKeys.secret, ledger.events);
    expect(assets.get(asset)?.available).toBeNull();
    expect(assets.get(asset) && spendableNotes(assets.get(asset) as never)).toEqual([]);
    expect(entries.map((entry) => entry.amount)).toEqual([100_000_000n, null, null, null, null, 9n]);
  });

  it("has what opens memos and finds requests again, on both sides", async () => {
    const ledger = await started();
    await ledger.pay(agent, bob, 5n);
    await ledger.release(agent, bob, 6n);
    const sent = (await own(agent, ledger)).entries.find(({ type }) => type === "sent");
    const received = (await foldHistory(scope, bob, bobKeys.secret, ledger.events)).entries[0];
    const [note, salt] = [sent?.commitment ?? 0n, sent?.noteSalt ?? 0n];
    const memo = encryptNoteMemo(scope, note, salt, "for the boat");
    expect(decryptNoteMemo(scope, note, received?.noteSalt ?? 0n, memo)).toBe("for the boat");
    const { entries } = await own(agent, ledger);
    for (const { type, seed, tag } of entries) {
      expect([type, seed?.length, tag?.length]).toEqual([type, 32, 16]);
    }
  });

  it("keeps a note with a worthless ciphertext, unreadable, without losing the rest", async () => {
    const ledger = await started();
    await ledger.pay(alice, bob, 5n);
    const spam = ledger.events.flatMap((event) =>
      event.eventName === "Transferred"
        ? [
            {
              ...event,
              blockNumber: 99n,
              args: { ...event.args, note: 77n, recipientCiphertext: toHex(new Uint8Array(9)) },
            },
          ]
        : [],
    );
    const { assets } = await foldHistory(scope, bob, bobKeys.secret, [...ledger.events, ...spam]);
    expect(assets.get(asset)?.notes.get(77n)).toMatchObject({ opening: null, spent: false });
    expect([...(assets.get(asset)?.notes.values() ?? [])].filter(({ opening }) => opening).length).toBe(1);
  });
});

describe("a poisoned copy", () => {
  // Invariant 23: after payments in mode 0 and mode 1, the owner can recover everything.
  it("of a limited payment costs nothing: available balance and amount follow from the chain", async () => {
    const ledger = await started();
    for (const m of [0, 1, 2] as const) {
      await ledger.pay(agent, bob, 5n, { mode: m, poisoned: true });
      await ledger.release(agent, bob, 6n, { mode: m, poisoned: true });
    }
    const { assets, entries } = await own(agent, ledger);
    expect(assets.get(asset)?.available).toEqual(ledger.availableOf(agent));
    expect(entries.slice(1).map((entry) => entry.amount)).toEqual([5n, 6n, 5n, 6n, 5n, 6n]);
    expect(entries.slice(1).every(({ seed, tag, noteSalt }) => !seed && !tag && noteSalt === undefined)).toBe(true);
  });

  it("of a payment without a policy loses that available balance alone, and the loss is bounded", async () => {
    const ledger = await started();
    await ledger.pay(alice, bob, 7n, { poisoned: true });
    ledger.deposit(3n);
    const { assets } = await own(alice, ledger);
    expect(assets.get(asset)).toMatchObject({ available: null, atMost: 29_999_999n, deposited: 3n });
    expect((await own(agent, ledger)).assets.get(asset)?.available).toEqual(ledger.availableOf(agent));
  });

  it("of a fund loses the available balance that it is of, until the wallet abandons it", async () => {
    const ledger = await started();
    await ledger.fund(alice, agent, 5n, { poisoned: true });
    await ledger.pay(agent, bob, 2n);
    const lost = (await own(agent, ledger)).assets.get(asset);
    expect(lost).toMatchObject({ available: null, atMost: null });
    expect((await own(alice, ledger)).assets.get(asset)?.available).toEqual(ledger.availableOf(alice));
    ledger.abandon(agent);
    const after = (await own(agent, ledger)).assets.get(asset);
    expect(after).toMatchObject({ available: EMPTY_AVAILABLE_OPENING, commitment: EMPTY_AVAILABLE, atMost: 0n });
  });

  it("leaves a payment's amount readable after a loss, by the copy of that payment", async () => {
    const ledger = await started();
    await ledger.pay(alice, bob, 7n, { poisoned: true });
    await ledger.pay(alice, bob, 8n);
    await ledger.payMany(alice, [bob], [3n, 4n]);
    const { assets, entries } = await own(alice, ledger);
    expect(entries.filter(({ type }) => type === "sent").map((entry) => entry.amount)).toEqual([null, 8n, 3n, 4n]);
    expect(assets.get(asset)?.available).toEqual(ledger.availableOf(alice));
  });
});
