import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { writePolicyDocument } from "@/lib/ledger/policy/policy-document";
import { decide, POLICY_RULES, type PolicyDecision } from "@/lib/policy/decide";
import { loosens } from "@/lib/policy/loosens";
import { documentOfPolicy, policyOfDocument } from "@/lib/policy/policy-document";
import type { ActCheck, AmountCheck } from "@/lib/policy/rule";
import { REFERENCE, RULES, SERVICE, WORDS } from "@/lib/policy/rules";
import { DENY_ALL, policyFrom, type SpendPolicy, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { address, scope } from "@/test/ledger/arbitraries";
import { instant, payment, policy, standing } from "@/test/ledger/policy-arbitraries";

const ref = fc.record({ scope, holder: address, version: fc.bigInt(1n, 1000n) });
const ADDRESSES = { USDG: `0x${"d9".repeat(20)}`, ETH: `0x${"00".repeat(20)}` } as const;
const FREEDOM: Record<PolicyDecision["outcome"], number> = { denied: 0, held: 1, allowed: 2 };

const NO_LIMITS = { daily: 0n, perTransaction: 0n, hitlThreshold: 0n };
const sorted = (list: readonly string[]) => [...new Set(list)].sort();

/** A policy as its document keeps it: lists in order and without duplicates, no limits as limits of zero. */
const normal = (p: SpendPolicy): SpendPolicy => ({
  ...p,
  allowedRecipients: sorted(p.allowedRecipients),
  limits: { ETH: p.limits.ETH ?? NO_LIMITS },
  recipientLimits: [...p.recipientLimits].sort((a, b) => (a.recipient < b.recipient ? -1 : 1)),
});

const bytesOf = (p: SpendPolicy, r: typeof ref extends fc.Arbitrary<infer R> ? R : never) =>
  String(writePolicyDocument(documentOfPolicy(p, false, r, ADDRESSES)));

/** Three policies that differ in few rules, so that many pairs compare. */
const three = fc
  .tuple(policy, policy, policy, fc.subarray(RULES.map(({ name }) => name)), fc.subarray(RULES.map(({ name }) => name)))
  .map(([a, b, c, first, second]) => {
    const near = policyFrom(({ name }) => (first.includes(name) ? b : a)[name]);
    return [a, near, policyFrom(({ name }) => (second.includes(name) ? c : near)[name])] as const;
  });

/** The same, each at most as free as the one before, where a rule can be compared at all. */
const falling = three.map(([a, b, c]) => {
  const tighter = (from: SpendPolicy, to: SpendPolicy) => {
    let tightened = from;
    for (const { name } of RULES) {
      const next = { ...tightened, [name]: to[name] };
      if (!loosens(from, next)) tightened = next;
    }
    return tightened;
  };
  const second = tighter(a, b);
  return [a, second, tighter(second, c)] as const;
});

describe("every rule", () => {
  it("comes back from the API's fields, and from the signed document", () => {
    fc.assert(
      fc.property(policy, ref, fc.boolean(), (p, r, paused) => {
        const sent = JSON.parse(JSON.stringify(toSpendPolicyResource(normal(p))));
        const refuse = (message: string) => {
          throw new Error(message);
        };
        expect(policyFrom(({ field, read }) => read(sent[field], refuse))).toEqual(normal(p));
        const document = documentOfPolicy(p, paused, r, ADDRESSES);
        expect(policyOfDocument(document, ADDRESSES)).toEqual({ policy: normal(p), paused });
      }),
    );
  });

  it.each(RULES.map(({ name }) => name))("changes the signed document: %s", (name) => {
    let differ = 0;
    fc.assert(
      fc.property(policy, policy, ref, (p, other, r) => {
        const changed = { ...p, [name]: other[name] };
        const isSame = JSON.stringify(toSpendPolicyResource(normal(p))) === written(changed);
        if (!isSame) differ += 1;
        expect(bytesOf(changed, r) === bytesOf(p, r)).toBe(isSame);
      }),
    );
    expect(differ).toBeGreaterThan(20);
  });

  it("loosens as a partial order: never against itself, and two steps that don't are one that doesn't", () => {
    fc.assert(
      fc.property(fc.oneof(three, falling), ([a, b, c]) => {
        expect(loosens(a, a)).toBe(false);
        for (const rule of RULES) expect(rule.loosens(a, a)).toBe(false);
        if (!loosens(a, b) && !loosens(b, c)) expect(loosens(a, c)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it("decides as it compares: what doesn't loosen frees no payment, and policies that loosen neither way decide alike", () => {
    let compared = 0;
    fc.assert(
      fc.property(falling, payment, standing, instant, ([a, , c], paid, stands, at) => {
        const [before, after] = [decide(a, stands, paid, at), decide(c, stands, paid, at)];
        expect(FREEDOM[after.outcome]).toBeLessThanOrEqual(FREEDOM[before.outcome]);
        if (JSON.stringify(toSpendPolicyResource(a)) !== written(c)) compared += 1;
        if (!loosens(c, a)) expect(after.outcome).toBe(before.outcome);
      }),
      { numRuns: 600 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  it("that the chain enforces holds for blind keys by the chain, and no other claims the chain", () => {
    for (const { commitment, blind } of Object.values(SERVICE)) expect(blind === "chain").toBe(commitment === "limits");
  });

  it("keeps the counters that its checks read", () => {
    fc.assert(
      fc.property(policy, payment, (p, paid) => {
        const keeps = RULES.some((rule) => rule.isCounted?.(p));
        const reads = Object.values(SERVICE)
          .flatMap(({ checks }) => Object.values(checks) as (ActCheck | AmountCheck)[])
          .some((check) => "counts" in check && check.counts !== "spentToday" && check.applies?.(p, paid));
        if (reads) expect(keeps).toBe(true);
      }),
    );
    expect(RULES.some((rule) => rule.isCounted?.(DENY_ALL))).toBe(false);
  });

  it("is in every table", () => {
    const fields = RULES.map(({ field }) => field).sort();
    for (const table of [SERVICE, WORDS, REFERENCE]) expect(Object.keys(table).sort()).toEqual(fields);
  });
});

const written = (p: SpendPolicy) => JSON.stringify(toSpendPolicyResource(normal(p)));

test("the guide says in order what each rule refuses, and who enforces it", () => {
  const guide = readFileSync("docs/guides/policies.md", "utf8");
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, reason = "", fields = ""]) => ({
    reason,
    fields,
  }));
  expect(rows.map(({ reason }) => reason)).toEqual(POLICY_RULES);
  const enforced = guide.slice(guide.indexOf("| rule | enforced by |"));
  for (const { field } of RULES) {
    const { commitment, checks } = SERVICE[field];
    for (const reason of Object.keys(checks)) {
      if (reason === "approval_threshold") continue;
      expect(rows.find((row) => row.reason === reason)?.fields, reason).toContain(`\`${field}\``);
    }
    const line = enforced.split("\n").find((each) => /^\| (?!.* with )/.test(each) && each.includes(`\`${field}\``));
    expect(line, field).toMatch(commitment === "document" ? /the service \|$/ : /the chain \|$/);
  }
});
