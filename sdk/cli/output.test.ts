import { stripVTControlCharacters as plain } from "node:util";
import { expect, test } from "vitest";
import { ApiCallError, HalcyonError } from "../api/errors";
import { OutcomeUnknown } from "../payments/attempts/outcome-unknown";
import type { PendingPayment } from "../payments/attempts/pending-payment";
import { errorText, fields, table } from "./output";

test("columns are aligned, and what is missing is a dash", () => {
  const shown = table(
    ["id", "memo"],
    [
      ["tr_1", "hi"],
      ["tr_22", null],
    ],
    "none",
  );
  expect(plain(shown)).toBe("ID     MEMO\ntr_1   hi\ntr_22  -");
  expect(table(["id"], [], "Nothing.")).toBe("Nothing.");
});

test("columns stay aligned where a character takes two columns of a terminal, or none", () => {
  const memos = ["plain", "日本語", "cafe\u0301", "👨‍👩‍👧", "ｶﾞ"];
  const shown = plain(
    table(
      ["memo", "id"],
      memos.map((memo) => [memo, "tr_1"]),
      "none",
    ),
  );
  // Computed by hand: widths of 5, 6, 4, 2 and 2 in a column 6 wide.
  const spaces = [3, 2, 4, 6, 6];
  const lines = memos.map((memo, at) => `${memo}${" ".repeat(spaces[at] ?? 0)}tr_1`);
  expect(shown.split("\n")).toEqual(["MEMO    ID", ...lines]);
});

test("a memo cannot turn the direction of a line, nor end it", () => {
  expect(plain(fields({ memo: "\u202e001\u2028x\u2066" }))).toBe("memo   001 x ");
});

test("a memo cannot write control characters to the terminal", () => {
  expect(table(["memo"], [["a\u001b[2Jb\nc\u009b1m"]], "none")).toMatch(/\na \[2Jb c 1m$/);
  expect(plain(fields({ label: "x\ry" }))).toBe("label  x y");
});

test("with --json an error is the API's shape in one line", () => {
  const error = new ApiCallError("invalid_request", "Send it.", { status: 400, param: "amount", requestId: "req_1" });
  expect(JSON.parse(errorText(error, true))).toEqual({
    error: { code: "invalid_request", message: "Send it.", param: "amount", request_id: "req_1" },
  });
  expect(plain(errorText(new HalcyonError("unauthorized", "No key."), false))).toBe("error: unauthorized: No key.");
});

const pending = (id: string): PendingPayment => ({
  version: 1,
  id,
  kind: "make_available",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [{ old_commitment: "0x01", new_commitment: "0x02", deadline: 1_800_000_000 }],
});
const lost = new HalcyonError("unavailable", "The service does not respond.");

test("money made available in part: what was made, what was not, and what continues it", () => {
  const said = plain(errorText(new OutcomeUnknown(pending("mine#round-2"), lost, "part"), false));
  expect(said).toContain("2 transactions were made. The rest was not made.");
  expect(said).toContain("the same command with --idempotency-key mine.");
  expect(said).toContain("halcyon sync");
  expect(said).toContain("Why it stopped: The service does not respond.");
  expect(said).not.toMatch(/not yet known|payment/);
});

test("money of which one transaction is open: what was made before it, until when it is open, and how to find out", () => {
  const second = plain(errorText(new OutcomeUnknown(pending("mine#round-2"), lost), false));
  expect(second).toContain("1 transaction was made. It is not yet known whether the next one was made");
  expect(second).toContain("it can still settle until 2027-01-15T08:00:00Z");
  expect(second).toContain("--idempotency-key mine.");
  const first = plain(errorText(new OutcomeUnknown(pending("mine")), false));
  expect(first).toMatch(/^unknown: It is not yet known whether this was made; it can still settle until/);
  expect(first).not.toMatch(/payment|transactions? w/);
});

test("with --json a partial move to the available balance says so beside its record", () => {
  const part = JSON.parse(errorText(new OutcomeUnknown(pending("mine#round-2"), lost, "part"), true));
  expect(part.error).toMatchObject({ code: "unavailable", outcome: "unknown", made: "part" });
  const open = JSON.parse(errorText(new OutcomeUnknown(pending("mine"), lost), true));
  expect(open.error).toMatchObject({ outcome: "unknown", pending: { id: "mine" } });
  expect(open.error).not.toHaveProperty("made");
});
