import { expect, test } from "vitest";
import type { RequestDetails } from "@/sdk/payments/requests/verify-request";
import { readStateOf } from "./read-state";

const details = { amount: "21" } as RequestDetails;

test("a request counts as unreadable only once the chain was asked, never because it did not respond", () => {
  const error = new Error("The chain does not respond.");
  expect(readStateOf({ encrypted: false, opened: undefined, error: null })).toBe("decrypting");
  expect(readStateOf({ encrypted: false, opened: undefined, error })).toBe("failed");
  expect(readStateOf({ encrypted: false, opened: { details: null }, error: null })).toBe("unreadable");
  // What was read before stays, although a later attempt failed.
  expect(readStateOf({ encrypted: false, opened: { details }, error })).toBe("read");
  expect(readStateOf({ encrypted: true, opened: undefined, error })).toBe("encrypted");
});
