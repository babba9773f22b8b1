import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isUnknown } from "@/components/api/unknown-outcome";
import { HalcyonError, ServiceUnreachable } from "@/sdk/api/errors";
import { NothingMoved, OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { keepUnfinishedPayments } from "./keep-unfinished-payments";
import { KeptPayments } from "./kept-payments";

const pending = (id: string): PendingPayment => ({
  version: 1,
  id,
  kind: "batch",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [{ deadline: 1 }],
});
const locked = () => Object.assign(new HalcyonError("unauthorized", "Locked."), { name: "VaultLocked" });
const items = new Map<string, string>();
const storage = {
  getItem: (name: string) => items.get(name) ?? null,
  setItem: (name: string, value: string) => void items.set(name, value),
  removeItem: (name: string) => void items.delete(name),
};
const payments = new KeptPayments(storage, { network: "test", address: `0x${"ab".repeat(20)}` });
const keptIds = () => payments.list().map(({ id }) => id);
let held: string[];

beforeEach(() => {
  items.clear();
  held = [];
  const request = async (name: string, work: () => Promise<void>) => {
    held.push(name);
    await work();
    held = held.filter((one) => one !== name);
  };
  vi.stubGlobal("navigator", { onLine: true, locks: { request } });
});
afterEach(() => vi.unstubAllGlobals());

test("offline, nothing is begun, and the words are that nothing was prepared", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const work = vi.fn();
  await expect(keepUnfinishedPayments(payments, { act: "payout" }, work)).rejects.toThrow(
    "You are offline. Nothing was prepared.",
  );
  expect(work).not.toHaveBeenCalled();
  expect(keptIds()).toEqual([]);
});

test("before a document has left, an error is what it is: the session's end, or that someone locked", async () => {
  for (const error of [new HalcyonError("unauthorized", "You have been signed out."), locked()]) {
    await expect(keepUnfinishedPayments(payments, { act: "payout" }, () => Promise.reject(error))).rejects.toBe(error);
  }
  expect(keptIds()).toEqual([]);
});

test("a lost response before a document has left is no open payment: nothing was sent, and nothing looks for it", async () => {
  const lost = Object.assign(new ServiceUnreachable("-"), { mayHaveHappened: true });
  const failed = await keepUnfinishedPayments(payments, { act: "payout" }, () => Promise.reject(lost)).catch(
    (error: unknown) => error,
  );
  expect(isUnknown(failed)).toBe(false);
  expect(keptIds()).toEqual([]);
});

test("after a document has left, no error says that nothing was paid: it is kept for the notice on every page", async () => {
  for (const error of [new HalcyonError("unauthorized", "You have been signed out."), locked(), new Error("closed")]) {
    const paying = keepUnfinishedPayments(payments, { act: "payout" }, async ({ onPending }) => {
      onPending(pending("payout/1"));
      expect(held).toEqual(["halcyon.payment.payout/1"]);
      throw error;
    });
    await expect(paying).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(keptIds()).toEqual(["payout/1"]);
    // Released, so that the notice reports it.
    await expect.poll(() => held).toEqual([]);
  }
});

test("what the service accepted is forgotten, and so is what the chain shows that it did not happen", async () => {
  const refused = new HalcyonError("insufficient_balance", "The balance is too low.");
  const paying = keepUnfinishedPayments(payments, { act: "payout" }, async ({ onPending, onAccepted }) => {
    onPending(pending("payout/1"));
    expect(keptIds()).toEqual(["payout/1"]);
    onAccepted();
    expect(keptIds()).toEqual([]);
    onPending(pending("payout/2"));
    onPending({ ...pending("payout/2"), documents: [{ deadline: 1 }, { deadline: 2 }] });
    expect(payments.list()[0]?.pending.documents).toHaveLength(2);
    onPending(pending("payout/3"));
    expect(keptIds()).toEqual(["payout/3"]);
    onAccepted();
    throw refused;
  });
  await expect(paying).rejects.toBe(refused);
  expect(keptIds()).toEqual([]);
  const nothing = new NothingMoved(pending("run"));
  await expect(
    keepUnfinishedPayments(payments, { act: "run" }, async ({ onPending }) => {
      onPending(pending("run"));
      throw nothing;
    }),
  ).rejects.toBe(nothing);
  expect(keptIds()).toEqual([]);
  expect(
    await keepUnfinishedPayments(payments, { act: "run" }, async ({ onPending }) => onPending(pending("run"))),
  ).toBeUndefined();
  expect(keptIds()).toEqual([]);
});

test("work that the person stops sends nothing more, and waits for the response to what is on its way", async () => {
  const stop = new AbortController();
  const paying = keepUnfinishedPayments(payments, { act: "payout", to: "po_1", stop: stop.signal }, async (keeping) => {
    keeping.onPending(pending("po_1/0"));
    expect(payments.list()).toMatchObject([{ to: "po_1" }]);
    stop.abort();
    expect(keeping.signal.aborted).toBe(false);
    keeping.onAccepted();
    expect(keeping.signal.aborted).toBe(true);
    keeping.onPending(pending("po_1/1"));
  });
  await expect(paying).rejects.toMatchObject({ name: "AbortError" });
  expect(keptIds()).toEqual([]);
  const open = new AbortController();
  const refused = new HalcyonError("invalid_request", "This payout was cancelled.");
  const lost = keepUnfinishedPayments(payments, { act: "payout", stop: open.signal }, async ({ onPending }) => {
    onPending(pending("po_1/2"));
    open.abort();
    throw refused;
  });
  await expect(lost).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(keptIds()).toEqual(["po_1/2"]);
});

test("if the browser can't keep the record, the document does not leave", async () => {
  const full = new KeptPayments(
    {
      ...storage,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    },
    { network: "test", address: `0x${"ab".repeat(20)}` },
  );
  const paying = keepUnfinishedPayments(full, { act: "run" }, async ({ onPending }) => onPending(pending("run")));
  await expect(paying).rejects.toThrow("full");
});
