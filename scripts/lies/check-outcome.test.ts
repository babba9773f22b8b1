import { expect, test } from "vitest";
import { HalcyonError } from "@/sdk/api/errors";
import { type Expected, type Outcome, varying, wrongIn } from "./check-outcome";

const HASH = `0x${"ab".repeat(32)}`;
const OTHER_HASH = `0x${"cd".repeat(32)}`;
const PAYEE = `0x${"11".repeat(20)}`;
const STRANGER = `0x${"22".repeat(20)}`;
const ID = "tr_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Returns what is wrong with a payment of 0.01 USDG that came out so. */
function paid(outcome: Partial<Outcome>): string | null {
  const truth = { transfer_id: ID, status: "confirmed", amount: "0.01", asset: "USDG", to: "@payee", tx_hash: HASH };
  const moves = ["owner sent 0.01 USDG to payee"];
  const expected: Expected = { truth, varies: new Set(["transfer_id", "tx_hash"]), moves, addresses: [] };
  return wrongIn(expected, { report: truth, error: undefined, moves, hashes: [HASH], ...outcome });
}

/** Returns what is wrong with a report, or with a text that a command prints. */
function reported(truth: unknown, report: unknown, error?: unknown): string | null {
  const expected: Expected = { truth, varies: new Set(), moves: undefined, addresses: [PAYEE] };
  return wrongIn(expected, { report, error, moves: [], hashes: [] });
}

const TRUTH = { amount: "0.01", asset: "USDG", status: "confirmed", tx_hash: HASH };
const refused = new HalcyonError("unavailable", "The service says that USDG has 9 decimals, and its amounts have 6.");

test("a payment is wrong unless it moved and reported exactly what was asked, or failed and moved nothing", () => {
  expect(paid({})).toBeNull();
  expect(paid({ error: refused, report: undefined, moves: [], hashes: [] })).toBeNull();
  const moved = [
    ["owner sent 0.00001 USDG to payee"],
    ["owner sent 0.01 ETH to payee"],
    [`owner sent 0.01 USDG to ${STRANGER}`],
    ["owner sent 0.01 USDG to payee", "owner sent 0.01 USDG to payee"],
  ];
  for (const moves of moved) {
    expect(paid({ moves })).toMatch(/^moved /);
    expect(paid({ moves, error: refused, report: undefined })).toMatch(/^moved /);
  }
  expect(paid({ moves: [], hashes: [] })).toMatch(/^moved nothing, and reported/);
  expect(paid({ error: refused, report: undefined })).toMatch(/^paid, and threw/);
  for (const open of [{ mayHaveHappened: true }, { mayHappenUntil: "2026-11-30T12:00:00.000Z" }]) {
    const error = Object.assign(new HalcyonError("invalid_policy", "It may still be done."), open);
    expect(paid({ error, report: undefined })).toBeNull();
  }
  expect(paid({ error: new TypeError("x is undefined"), report: undefined, moves: [], hashes: [] })).toMatch(/^threw/);
});

test("a payment's report is wrong if it names another amount, asset, status or transaction than the chain", () => {
  for (const lie of [{ amount: "10" }, { asset: "ETH" }, { status: "failed" }, { tx_hash: OTHER_HASH }]) {
    expect(paid({ report: { ...TRUTH, ...lie } })).toContain(Object.values(lie)[0]);
  }
});

test("a report is wrong if it names an amount, asset or transaction that the chain contradicts, wherever it stands", () => {
  const list = [TRUTH, { ...TRUTH, amount: "2" }];
  expect(reported(list, list)).toBeNull();
  expect(reported(list, undefined, refused)).toBeNull();
  for (const lie of [{ amount: "10" }, { asset: "ETH" }, { tx_hash: OTHER_HASH }]) {
    expect(reported(list, [{ ...TRUTH, ...lie }])).not.toBeNull();
    expect(
      reported({ balances: list }, { balances: [{ ...TRUTH, ...lie }], problems: ["It does not add up."] }),
    ).not.toBeNull();
  }
  expect(reported(list, [TRUTH, TRUTH])).not.toBeNull();
});

test("an entry that could not be read shows nothing that is encrypted in it otherwise than it is", () => {
  const list = [{ ...TRUTH, details: { amount: "3" }, link: "https://a/pay/1", payee: PAYEE }];
  const unread = { details: null, link: null, asset: "ETH", payee: STRANGER };
  expect(reported(list, [unread])).toBeNull();
  for (const lie of [{ amount: "10" }, { paid: "10" }, { link: "https://a/pay/2" }, { memo: "Rent" }]) {
    expect(reported(list, [{ ...unread, ...lie }])).not.toBeNull();
  }
});

test("a payment among several may fail alone, if the report counts what was made and nothing else moved", () => {
  const wanted = ["owner sent 1 USDG to payee", "owner sent 2 USDG to payee"];
  const judged = (moves: string[], made: number, error?: Error) => {
    const madeIn = (report: unknown) => (report as { made: number }).made;
    const expected = { truth: { made: 2 }, varies: new Set<string>(), moves: wanted, madeIn, addresses: [] };
    return wrongIn(expected, { report: { made }, error, moves, hashes: [] });
  };
  expect(judged([String(wanted[1])], 1)).toBeNull();
  expect(judged([], 0)).toBeNull();
  expect(judged([String(wanted[1])], 2)).not.toBeNull();
  expect(judged([String(wanted[1])], 0)).not.toBeNull();
  expect(judged(["owner sent 2 USDG to stranger"], 1)).not.toBeNull();
  expect(judged([String(wanted[1]), String(wanted[1])], 2)).not.toBeNull();
  // It may stop halfway, if it says so.
  const open = new HalcyonError("outcome_unknown", "Repeat it.");
  expect(judged([String(wanted[1])], 0, open)).toBeNull();
  expect(judged([String(wanted[1])], 0, new HalcyonError("unavailable", "No."))).not.toBeNull();
  expect(judged(["owner sent 2 USDG to stranger"], 0, open)).not.toBeNull();
});

test("a statement that does not add up may say so, and no more", () => {
  const truth = { closing: "5", adds_up: true, problems: [] };
  expect(reported(truth, { closing: "5", adds_up: false, problems: ["An entry of 7 is missing."] })).toBeNull();
  expect(reported(truth, { closing: "7", adds_up: false, problems: ["An entry of 7 is missing."] })).not.toBeNull();
  expect(reported({ ...truth, adds_up: false }, truth)).not.toBeNull();
});

test("a printed line is wrong if its figures do not stand together in what an honest service has printed", () => {
  const printed = `2026-11-28 10:00  sent  10 USDG  @payee\n2026-11-28 11:00  received  50 USDG  ${STRANGER}`;
  expect(reported(printed, printed)).toBeNull();
  expect(reported(printed, printed.replace("@payee", PAYEE))).toBeNull();
  expect(reported(printed, printed.replace("10 USDG", "10000 USDG"))).toContain("10000");
  expect(reported(printed, printed.replace("@payee", `0x${"33".repeat(20)}`))).not.toBeNull();
  expect(reported(printed, printed.replace("@payee", "@p4/a1"))).toBeNull();
  expect(reported(printed, "None yet. Create one with `halcyon request create --amount 25`.")).toBeNull();
  const exchanged = printed.replace("10 USDG", "x").replace("50 USDG", "10 USDG").replace(" x ", " 50 USDG ");
  expect(reported(printed, exchanged)).not.toBeNull();
});

test("only ids, hashes and times that the service says may differ between two runs with an honest service", () => {
  const again = { ...TRUTH, transfer_id: ID.replace("A", "B"), tx_hash: OTHER_HASH };
  expect(varying({ ...TRUTH, transfer_id: ID }, again)).toEqual(new Set(["transfer_id", "tx_hash"]));
  const [noon, later] = ["2026-11-30T12:00:00.000Z", "2026-11-30T12:00:01.000Z"];
  expect(varying({ created_at: noon }, { created_at: later })).toEqual(new Set(["created_at"]));
  expect(varying({ due_at: noon }, { due_at: later }, ["due_at"])).toEqual(new Set(["due_at"]));
  expect(() => varying({ expires_at: noon }, { expires_at: later })).toThrow("expires_at is ");
  for (const lie of [{ amount: "0.02" }, { asset: "ETH" }, { status: "failed" }, { tx_hash: null }]) {
    expect(() => varying([TRUTH], [{ ...TRUTH, ...lie }])).toThrow(" is ");
  }
  expect(() => varying({ to: PAYEE }, { to: STRANGER })).toThrow("to is ");
});
