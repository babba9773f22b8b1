import { expect, test } from "vitest";
import { VaultLocked } from "@/components/vault/errors";
import { ApiCallError, HalcyonError, ServiceUnreachable } from "@/sdk/api/errors";
import { PinMismatch } from "@/sdk/api/pin-mismatch";
import { NothingMoved, OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { ActCancelled, type ActEvent, type ActState, actAfter, isCertain, settlesAct } from "./act-state";

type State = ActState<string, string>;
type Event = ActEvent<string, string>;

/** Returns the state after these events. */
const after = (...events: Event[]): State => events.reduce<State>(actAfter, { at: "form" });

const STARTED: Event[] = [
  { type: "review", input: "12" },
  { type: "start", input: "12" },
];
const LEFT: Event[] = [...STARTED, { type: "left" }];

const PENDING: PendingPayment = {
  version: 1,
  id: "e3b7f1f0-0000-4000-8000-000000000000",
  kind: "transfer",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [],
};
const apiError = (
  code: "unauthorized" | "insufficient_balance" | "available_balance_changed" | "unavailable",
  status: number,
) => new ApiCallError(code, "The service's own words.", { status });

/** Every way an act can fail, and whether the chain itself has confirmed that nothing moved. */
const FAILURES: { name: string; error: () => unknown; certain?: true }[] = [
  { name: "a refusal", error: () => apiError("insufficient_balance", 402) },
  { name: "409", error: () => apiError("available_balance_changed", 409) },
  { name: "a session that has ended", error: () => apiError("unauthorized", 401) },
  { name: "503 of the service", error: () => apiError("unavailable", 503) },
  { name: "502 of a proxy", error: () => apiError("unavailable", 502) },
  { name: "no response", error: () => new ServiceUnreachable("Nobody answers.") },
  { name: "going offline", error: () => new ActCancelled("offline") },
  { name: "a pin that differs", error: () => new PinMismatch("Another address.") },
  { name: "a vault that was locked", error: () => new VaultLocked() },
  { name: "a vault that died", error: () => new HalcyonError("internal", "It stopped.") },
  { name: "a wallet that declined", error: () => new HalcyonError("aborted", "You did not sign.") },
  { name: "a fault of this page", error: () => new TypeError("undefined is not a function") },
  { name: "no error at all", error: () => undefined },
  { name: "the chain's own word", error: () => new NothingMoved(PENDING), certain: true },
];

for (const { name, error, certain = false } of FAILURES) {
  test(`${name}: before a document has left nothing moved for sure, afterwards only if the chain says so`, () => {
    expect(isCertain(error(), false)).toBe(true);
    const early = after(...STARTED, { type: "failed", error: error() });
    expect(early).toMatchObject({ at: "review", refused: expect.any(Error) });
    expect(isCertain(error(), true)).toBe(certain);
    const late = after(...LEFT, { type: "failed", error: error() });
    expect(late.at).toBe(certain ? "review" : "unknown");
    expect("refused" in late).toBe(certain);
  });
}

test("an outcome the client calls unknown is unknown, with the service's last word", () => {
  const error = new OutcomeUnknown(PENDING, apiError("available_balance_changed", 409));
  expect(after(...STARTED, { type: "failed", error })).toMatchObject({
    at: "unknown",
    says: "The service's own words.",
  });
  const silent = new OutcomeUnknown(PENDING, new ServiceUnreachable("Nobody answers."));
  expect(after(...LEFT, { type: "failed", error: silent })).toMatchObject({ at: "unknown", says: undefined });
});

test("an act whose outcome is unknown cannot be started, reviewed or reset, only looked for", () => {
  const lost = after(...LEFT, { type: "failed", error: new ServiceUnreachable("Nobody answers.") });
  for (const event of [
    { type: "start", input: "13" },
    { type: "review", input: "13" },
    { type: "back" },
    { type: "reset" },
    { type: "cancel" },
  ] as const) {
    expect(actAfter(lost, event)).toBe(lost);
  }
});

test("once it is looked up it was made, was not made, or is still unknown", () => {
  const lost: Event[] = [...LEFT, { type: "failed", error: new ServiceUnreachable("Nobody answers.") }];
  expect(after(...lost, { type: "looked", found: { made: true, transferId: "tr_1" } })).toEqual({
    at: "found",
    input: "12",
    transferId: "tr_1",
  });
  expect(after(...lost, { type: "looked", found: { made: false, transferId: null } })).toMatchObject({
    at: "review",
    input: "12",
    refused: { name: "NotMade" },
  });
  expect(after(...lost, { type: "look" })).toMatchObject({ at: "unknown", looking: true });
  expect(after(...lost, { type: "look" }, { type: "failed", error: new VaultLocked() })).toMatchObject({
    at: "unknown",
    looking: false,
  });
  expect(after(...lost, { type: "look" }, { type: "failed", error: new NothingMoved(PENDING) })).toMatchObject({
    at: "review",
    refused: { name: "NotMade" },
  });
  expect(after(...lost, { type: "look" }, { type: "answered", output: "tr_1" })).toMatchObject({ at: "done" });
});

test("it can be called back until a document has left, and not afterwards", () => {
  const called = after(...STARTED, { type: "cancel" });
  expect(called).toMatchObject({ at: "running", cancelling: true });
  expect(actAfter(called, { type: "failed", error: new ActCancelled("person") })).toEqual({
    at: "review",
    input: "12",
    cancelled: true,
  });
  const left = after(...LEFT);
  expect(actAfter(left, { type: "cancel" })).toBe(left);
  expect(actAfter(left, { type: "failed", error: new ActCancelled("person") }).at).toBe("unknown");
});

test("that a document came to nothing settles no act that is being sent again; that it was made does", () => {
  const [made, not] = [true, false].map((made) => ({ made, transferId: null }));
  expect([settlesAct(not, true), settlesAct(not, false), settlesAct(made, true)]).toEqual([false, true, true]);
  expect(settlesAct(undefined, false)).toBe(false);
});

test("someone who is offline learns at once that nothing was prepared", () => {
  const refused = after(...STARTED, { type: "failed", error: new ActCancelled("offline") });
  expect(refused).toMatchObject({ at: "review", refused: { message: "You are offline. Nothing was prepared." } });
});

test("a response that comes after the dialog has gone on changes nothing, and of two presses one counts", () => {
  const running = after(...STARTED);
  expect(actAfter(running, { type: "start", input: "12" })).toBe(running);
  const form = after();
  for (const event of [
    { type: "answered", output: "tr_1" },
    { type: "failed", error: new VaultLocked() },
    { type: "looked", found: { made: true, transferId: null } },
  ] as const) {
    expect(actAfter(form, event)).toBe(form);
  }
});
