import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { policy } from "@/test/ledger/policy-arbitraries";
import { changesBetween, checkDraft, draftOf, isChanged, NEW_POLICY, type PolicyDraft } from "./draft";

const draft = draftOf(NEW_POLICY);
const problemsOf = (change: Partial<PolicyDraft>) => checkDraft({ ...draft, ...change }).problems;

describe("a draft", () => {
  it("of a policy is that policy, unchanged", () => {
    fc.assert(
      fc.property(policy, (rules) => {
        // The API removes duplicate entries.
        const fields = toSpendPolicyResource({ ...rules, allowedRecipients: [...new Set(rules.allowedRecipients)] });
        expect(checkDraft(draftOf(fields)).fields).toEqual(fields);
        expect(isChanged(draftOf(fields), fields)).toBe(false);
        expect(changesBetween(fields, fields)).toEqual([]);
      }),
    );
  });

  it.each(["", " 5", "1,000", "1e3", "-1", "0.1234567", "0.10000000000000000001", "1000000000.1", "05", "NaN"])(
    "refuses %j as an amount, as the service does",
    (daily) => {
      expect(problemsOf({ usdg: { ...draft.usdg, daily } })).toEqual({
        daily_limit_usdg: expect.stringMatching(/^Enter an amount/),
      });
    },
  );

  it("names each wrong field by its path", () => {
    const eth = { daily: "1", per_transaction: "x", hitl_threshold: "0.0000000001" };
    const wrong = { eth, allowed_recipients: ["@bob", "not a name"], allDay: false, start: "09:00", end: "09:00" };
    expect(Object.keys(problemsOf({ ...wrong, time_zone: "Mars/Base" }) ?? {}).sort()).toEqual([
      "active_hours",
      "allowed_recipients.1",
      "limits.ETH.hitl_threshold",
      "limits.ETH.per_transaction",
      "time_zone",
    ]);
  });

  it("that ends at midnight ends with the day", () => {
    const evening = { ...draft, allDay: false, start: "18:00", end: "00:00" };
    expect(checkDraft(evening).fields?.active_hours).toBe("18:00-24:00");
  });

  it("stores names as the service does, and says which fields differ", () => {
    const { fields } = checkDraft({ ...draft, allowed_recipients: ["Alice/Bot", "@BOB", "bob"], time_zone: "utc" });
    expect(fields?.allowed_recipients).toEqual(["@alice/bot", "@bob"]);
    expect(fields && changesBetween(NEW_POLICY, fields)).toEqual(["allowed_recipients"]);
    expect(changesBetween(NEW_POLICY, toSpendPolicyResource(DENY_ALL))).toEqual([
      "daily_limit_usdg",
      "per_transaction_limit_usdg",
      "hitl_threshold_usdg",
    ]);
  });
});
