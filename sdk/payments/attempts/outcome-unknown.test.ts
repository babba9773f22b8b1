import { expect, test } from "vitest";
import { fromVaultError } from "@/components/vault/errors";
import { ApiCallError } from "../../api/errors";
import { errorText } from "../../cli/output";
import { NothingMoved, OutcomeUnknown, ResponseLost } from "./outcome-unknown";
import { lastDeadline, type PendingPayment, readPending } from "./pending-payment";

const commitment = (digit: number) => `0x${String(digit).repeat(64)}` as const;
const pending: PendingPayment = {
  version: 1,
  id: "order-7",
  kind: "transfer",
  chain_id: 46630,
  ledger: `0x${"aa".repeat(20)}`,
  account: `0x${"ab".repeat(20)}`,
  to: `0x${"ac".repeat(20)}`,
  asset: `0x${"ad".repeat(20)}`,
  note: commitment(3),
  since_block: "12",
  documents: [{ old_commitment: commitment(1), new_commitment: commitment(2), deadline: 1_800_000_000 }],
};

test("a kept record reads back as it was, and nothing else reads as one", () => {
  expect(readPending(JSON.parse(JSON.stringify(pending)))).toEqual(pending);
  const wrong = [null, 7, {}, { ...pending, version: 2 }, { ...pending, kind: "gift" }, { ...pending, note: "3" }];
  const worse = [
    { ...pending, documents: [{ deadline: "soon" }] },
    { ...pending, since_block: "-1" },
  ];
  for (const value of [...wrong, ...worse]) expect(() => readPending(value)).toThrow();
});

test("the last deadline is that of all documents; the wallet's own transaction has none", () => {
  expect(lastDeadline(pending)?.toISOString()).toBe("2027-01-15T08:00:00.000Z");
  expect(lastDeadline({ ...pending, documents: [{ tx_hash: commitment(4), deadline: 0 }] })).toBeNull();
});

test("an unknown outcome says so, names the way to find out, and gives the service's response as its cause", () => {
  const cause = new ApiCallError("policy_violation", "Your agent is paused.", { status: 403 });
  const error = new OutcomeUnknown(pending, cause);
  expect(error).toMatchObject({ code: "outcome_unknown", pending, cause });
  expect(error.message).toMatch(
    /It is not known yet .* until 2027-01-15T08:00:00Z\. .*order-7.*Your agent is paused\./s,
  );
  expect(new NothingMoved(pending).message).toMatch(/nothing moved/);
});

test("the command line shows a person what to run, and a program what is pending", () => {
  const error = new OutcomeUnknown(pending);
  expect(errorText(error, false)).toMatch(/not yet known .*--idempotency-key order-7:\nit continues/s);
  expect(errorText(new OutcomeUnknown({ ...pending, held: "txn_1" }), false)).toContain("halcyon approve txn_1");
  expect(JSON.parse(errorText(error, true)).error).toMatchObject({ outcome: "unknown", pending });
  const lost = new ResponseLost("order-8", new ApiCallError("unavailable", "Later.", { status: 503 }));
  expect(JSON.parse(errorText(lost, true)).error).toMatchObject({ outcome: "unknown", idempotency_key: "order-8" });
});

test("across the vault's boundary the same errors come out", () => {
  const met = fromVaultError({ code: "available_balance_changed", message: "Build it again.", status: 409, pending });
  expect(met).toBeInstanceOf(OutcomeUnknown);
  expect(met).toMatchObject({
    pending,
    cause: { code: "available_balance_changed", message: "Build it again.", status: 409 },
  });
  const silent = fromVaultError({ code: "unavailable", message: "", pending, nothingMoved: true });
  expect(silent).toBeInstanceOf(NothingMoved);
  expect(silent.cause).toBeUndefined();
  expect(fromVaultError({ code: "internal", message: "-" })).not.toBeInstanceOf(OutcomeUnknown);
});
