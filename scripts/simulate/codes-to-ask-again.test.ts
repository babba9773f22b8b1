import { expect, it } from "vitest";
import { isToAskAgain } from "./codes-to-ask-again";

it("what a web process refuses because its clock is ahead is asked for again, and no other invalid request", () => {
  const invalid = (param?: string) => isToAskAgain({ code: "invalid_request", param });
  for (const param of ["blind.document.deadline", "blind.document.day", "blind.held.transaction_id"])
    expect(invalid(param), param).toBe(true);
  for (const param of [undefined, "to", "blind.document.note", "transaction_id"])
    expect(invalid(param), param).toBe(false);
});
