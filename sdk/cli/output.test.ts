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
