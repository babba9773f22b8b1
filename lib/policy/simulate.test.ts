import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countingOf, spendingState } from "@/lib/policy/counting";
import { decide } from "@/lib/policy/decide";
import { simulate } from "@/lib/policy/simulate";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { addSpent } from "@/lib/policy/spent";
import { instant, payment, policy } from "@/test/ledger/policy-arbitraries";

const rules: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 100n,
  perTransactionLimit: 60n,
  hitlThreshold: 50n,
  allowedRecipients: ["*"],
  timeZone: "Europe/Zurich",
};
const at = (amount: bigint, when: string) => {
  return { asset: "USDG", amount, recipient: { handle: null, address: "0x00" }, at: new Date(when) } as const;
};

describe("simulate", () => {
  it("counts what is allowed towards its day; held and denied payments do not", () => {
    const payments = [
      at(50n, "2026-11-20T22:00:00Z"),
      at(60n, "2026-11-20T22:10:00Z"),
      at(40n, "2026-11-20T22:10:00Z"),
      at(61n, "2026-11-20T22:20:00Z"),
      at(10n, "2026-11-20T22:59:00Z"),
      at(1n, "2026-11-20T22:59:59Z"),
      at(50n, "2026-11-20T23:00:00Z"),
      at(51n, "2026-11-20T23:00:00Z"),
    ];
    expect(simulate(rules, false, payments).map(({ outcome }) => outcome)).toEqual([
      "allowed",
      "denied",
      "allowed",
      "denied",
      "allowed",
      "denied",
      "allowed",
      "denied",
    ]);
  });

  it("holds what is over the threshold without counting it", () => {
    const held = simulate(rules, false, [at(60n, "2026-11-21T10:00:00Z"), at(60n, "2026-11-21T10:00:00Z")]);
    expect(held.map(({ outcome }) => outcome)).toEqual(["held", "held"]);
  });

  it("of a paused agent allows nothing", () => {
    expect(simulate(rules, true, [at(1n, "2026-11-21T10:00:00Z")])[0]).toMatchObject({ reason: "agent_paused" });
  });

  it("says of payments in time what the real counters would", () => {
    const payments = fc.array(fc.record({ what: payment, step: fc.integer({ min: 0, max: 600 }) }), { maxLength: 20 });
    fc.assert(
      fc.property(policy, instant, payments, (draft, start, steps) => {
        let time = start.getTime();
        const planned = steps.map(({ what, step }) => {
          time += step * 60_000;
          return { ...what, at: new Date(time) };
        });
        const counters: Partial<Record<string, Uint8Array>> = {};
        const real = planned.map((what) => {
          const standing = spendingState(draft, false, counters[what.asset], what, what.at);
          const decision = decide(draft, standing, what, what.at);
          if (decision.outcome === "allowed") {
            counters[what.asset] = addSpent(
              counters[what.asset],
              what.at,
              what.amount,
              countingOf(draft, what, what.at),
            );
          }
          return decision;
        });
        expect(simulate(draft, false, planned)).toEqual(real);
      }),
    );
  });
});
