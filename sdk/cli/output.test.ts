import { stripVTControlCharacters as plain } from "node:util";
import { expect, test } from "vitest";
import { ApiCallError, HalcyonError } from "../api/errors";
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
  // By hand, in columns: 5, 6, 4, 2 and 2, in a column that is 6 wide.
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
