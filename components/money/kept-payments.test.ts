import { beforeEach, expect, test } from "vitest";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { type Kept, KeptPayments, learn, unsettled } from "./kept-payments";

const OWNER = { network: "test", address: `0x${"Ab".repeat(20)}` };

/** The parts of a browser's storage that are used. */
class BrowserStorage {
  readonly items = new Map<string, string>();
  full = false;
  getItem = (name: string) => this.items.get(name) ?? null;
  removeItem = (name: string) => void this.items.delete(name);
  setItem = (name: string, value: string) => {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.items.set(name, value);
  };
}

const pending = (id: string): PendingPayment => ({
  version: 1,
  id,
  kind: "transfer",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [{ deadline: 1 }],
});
const kept = (id: string, part: Partial<Kept> = {}): Kept => ({
  id,
  act: "send",
  to: "@lin",
  pending: pending(id),
  ...part,
});

let storage: BrowserStorage;
let payments: KeptPayments;
beforeEach(() => {
  storage = new BrowserStorage();
  payments = new KeptPayments(storage, OWNER);
});

test("what was kept is there for the next page of the same account, and for no other", () => {
  payments.keep(kept("a"));
  expect(new KeptPayments(storage, OWNER).list()).toEqual([kept("a")]);
  expect(new KeptPayments(storage, { ...OWNER, network: "live" }).list()).toEqual([]);
  expect(new KeptPayments(storage, { ...OWNER, address: `0x${"cd".repeat(20)}` }).list()).toEqual([]);
  payments.drop("a");
  expect(storage.items.size).toBe(0);
});

test("a further document of the same payment replaces its record, and listeners hear of it", () => {
  let heard = 0;
  const leave = payments.subscribe(() => heard++);
  payments.keep(kept("a"));
  const before = payments.list();
  expect(payments.list()).toBe(before);
  payments.keep(kept("a", { pending: { ...pending("a"), documents: [{ deadline: 1 }, { deadline: 2 }] } }));
  expect(payments.list()).toHaveLength(1);
  expect(payments.list()[0]?.pending.documents).toHaveLength(2);
  leave();
  payments.keep(kept("b"));
  expect(heard).toBe(2);
});

test("where nothing can be kept it throws, so that nothing leaves; what is broken is taken for nothing", () => {
  storage.full = true;
  expect(() => payments.keep(kept("a"))).toThrow("full");
  storage.full = false;
  for (const broken of ["{", "7", '[null, 3, {"id": "a"}]']) {
    storage.items.set("halcyon.payments.test.0xabababababababababababababababababababab", broken);
    expect(payments.list()).toEqual([]);
  }
});

test("what the chain shows is written down once it is final, and announced unless it only confirms what was said", () => {
  const { keep, list } = { keep: payments.keep.bind(payments), list: payments.list };
  const settled = { outcome: "settled", transfer_id: "tr_1" } as const;
  keep(kept("lost"));
  keep(kept("told", { accepted: true }));
  const all = () => Object.fromEntries(list().map(({ id, outcome }) => [id, outcome]));
  for (const each of list()) learn(payments, each, { outcome: "open" });
  for (const each of list()) learn(payments, each, { ...settled, final: false });
  expect(all()).toEqual({ lost: undefined, announced: undefined });
  for (const each of list()) learn(payments, each, { ...settled, final: true });
  expect(all()).toEqual({ lost: { made: true, transferId: "tr_1" } });
});

test("that nothing moved is announced even if the service had accepted it", () => {
  payments.keep(kept("lost"));
  payments.keep(kept("told", { accepted: true }));
  for (const each of payments.list()) learn(payments, each, { outcome: "nothing_moved" });
  const no = { made: false, transferId: null };
  expect(payments.list().map(({ outcome }) => outcome)).toEqual([no, no]);
});

test("that a document came to nothing is not said of one that has left since; that it was made, of both", () => {
  payments.keep(kept("a"));
  const [before] = payments.list() as [Kept];
  payments.keep(kept("a", { pending: { ...pending("a"), documents: [{ deadline: 1 }, { deadline: 2 }] } }));
  learn(payments, before, { outcome: "nothing_moved" });
  expect(payments.list()[0]?.outcome).toBeUndefined();
  payments.change("a", { accepted: true });
  learn(payments, before, { outcome: "settled", final: true, transfer_id: "tr_1" });
  expect(payments.list()).toEqual([]);
  learn(payments, before, { outcome: "nothing_moved" });
  expect(payments.list()).toEqual([]);
});

test("an accepted payment in doubt stands in the way of another, and what the chain shows of it is announced", () => {
  payments.keep(kept("of another id", { pending: pending("a"), accepted: true }));
  payments.doubt(pending("b"));
  expect(unsettled(payments.list(), "send", "@lin")).toBeUndefined();
  payments.doubt(pending("a"));
  expect(unsettled(payments.list(), "send", "@lin")?.id).toBe("of another id");
  for (const each of payments.list()) learn(payments, each, { outcome: "settled", final: true, transfer_id: "tr_1" });
  expect(payments.list()[0]?.outcome).toEqual({ made: true, transferId: "tr_1" });
  payments.forget(pending("a"));
  expect(payments.list()).toEqual([]);
});

test("an open payment stands in the way of another to the same place, not of others", () => {
  const all = [kept("a"), kept("b", { to: "@ann", accepted: true }), kept("c", { act: "fund", to: "@lin/bot" })];
  expect(unsettled(all, "send", "@lin")?.id).toBe("a");
  expect(unsettled(all, "send", "@ann")).toBeUndefined();
  expect(unsettled(all, "withdraw", "@lin")).toBeUndefined();
  expect(unsettled(all, "take back", "@lin/bot")).toBeUndefined();
  expect(unsettled([kept("a", { outcome: { made: true, transferId: null } })], "send", "@lin")).toBeUndefined();
});
