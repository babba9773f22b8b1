import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FurtherRules,
  type PolicyDocument,
  policyDocumentHash,
  readPolicyDocument,
  writePolicyDocument,
} from "@/lib/ledger/policy/policy-document";
import { limitsOf, POLICY_ASSETS } from "@/lib/policy/amount-limits";
import { documentOfPolicy, hasOpenRecipients, policyOfDocument } from "@/lib/policy/policy-document";
import { allowsRecipient } from "@/lib/policy/recipients";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { policy, recipient } from "@/test/ledger/policy-arbitraries";

const runs = { numRuns: 50 };
const ref = fc.record({ scope, holder: address, version: fc.bigInt(1n, 1000n) });
const addresses = { USDG: `0x${"d9".repeat(20)}`, ETH: `0x${"00".repeat(20)}` } as const;

/** Changes one rule, so that there is at least one to write. */
function further(rules: FurtherRules, change: Partial<FurtherRules>): FurtherRules {
  return { ...rules, ...change };
}

describe("a policy as the ledger's document", () => {
  it("comes back from its bytes deciding and written as before", () => {
    fc.assert(
      fc.property(policy, fc.boolean(), ref, (before, paused, r) => {
        const document = documentOfPolicy(before, paused, r, addresses);
        const read = readPolicyDocument(r.scope, writePolicyDocument(document));
        expect(read).toEqual(document);
        const after = policyOfDocument(read, addresses);
        expect(after.paused).toBe(paused);
        expect(new Set(after.policy.assets)).toEqual(new Set(before.assets));
        expect(new Set(after.policy.allowedRecipients)).toEqual(new Set(before.allowedRecipients));
        for (const asset of POLICY_ASSETS) expect(limitsOf(after.policy, asset)).toEqual(limitsOf(before, asset));
        expect([after.policy.activeHours, after.policy.timeZone]).toEqual([before.activeHours, before.timeZone]);
        const { monthlyLimit, paymentsPerDay, recipientLimits, publicPayments } = before;
        expect(after.policy).toMatchObject({ monthlyLimit, paymentsPerDay, publicPayments });
        expect(new Set(after.policy.recipientLimits)).toEqual(new Set(recipientLimits));
        expect(documentOfPolicy(after.policy, paused, r, addresses)).toEqual(document);
      }),
      runs,
    );
  });

  it("has one hash, which changes with every rule, the pause, the holder, the version, the ledger and the salt", () => {
    fc.assert(
      fc.property(policy, fc.boolean(), ref, bytes(32), (p, paused, r, salt) => {
        const document = documentOfPolicy(p, paused, r, addresses);
        const turned = { ...p, allowedRecipients: [...p.allowedRecipients].reverse(), assets: [...p.assets].reverse() };
        expect(documentOfPolicy(turned, paused, r, addresses)).toEqual(document);
        const other = (units: bigint) => (units === 0n ? 1n : units - 1n);
        const [asset, ...rest] = document.assets;
        if (!asset) throw new Error("the document names no asset");
        const of = (change: Partial<PolicyDocument>) => policyDocumentHash(salt, { ...document, ...change });
        const hashes = [
          of({}),
          policyDocumentHash(
            salt.map((byte) => byte ^ 1),
            document,
          ),
          of({ paused: !paused }),
          of({ version: r.version + 1n }),
          of({ holder: r.holder.endsWith("0") ? `0x${"11".repeat(20)}` : `0x${"10".repeat(20)}` }),
          of({ scope: { ...r.scope, chainId: r.scope.chainId + 1 } }),
          of({ hours: { ...document.hours, start: (document.hours.start + 720) % 1440, end: document.hours.start } }),
          of({ zone: `${document.zone}x` }),
          of({ assets: rest }),
          of({ further: further(document.further, { monthly: other(document.further.monthly ?? 5n) }) }),
          of({ further: further(document.further, { paymentsPerDay: (document.further.paymentsPerDay ?? 0) + 1 }) }),
          of({
            further: further(document.further, {
              recipientLimits: [
                ...(document.further.recipientLimits ?? []),
                { recipient: "~", perTransaction: 1n, monthly: null },
              ],
            }),
          }),
          of({ publicPayments: !document.publicPayments }),
          of({ recipients: [...document.recipients, "~"] }),
          of({ recipients: [`!${document.recipients[0] ?? ""}`, ...document.recipients.slice(1)] }),
          ...(["perPayment", "daily", "threshold"] as const).map((limit) =>
            of({ assets: [{ ...asset, [limit]: other(asset[limit]) }, ...rest] }),
          ),
          of({ assets: [{ ...asset, allowed: !asset.allowed }, ...rest] }),
        ];
        expect(new Set(hashes).size).toBe(hashes.length);
      }),
      runs,
    );
  });

  // A version that does not know a rule must not pay as if the rule did not exist.
  it("is refused when any byte is not as this version writes it", () => {
    fc.assert(
      fc.property(policy, ref, fc.nat(), fc.integer({ min: 1, max: 255 }), (p, r, at, change) => {
        const document = documentOfPolicy(p, false, r, addresses);
        const written = writePolicyDocument(document);
        const refused = (bad: Uint8Array) => expect(() => readPolicyDocument(r.scope, bad)).toThrow("allows nothing");
        refused(written.subarray(0, -1));
        refused(Uint8Array.of(...written, 0));
        refused(written.map((byte, index) => (index === 0 ? byte + 3 : byte)));
        refused(written.map((byte, index) => (index === 81 ? 2 : byte)));
        const damaged = written.map((byte, index) => (index === at % written.length ? byte ^ change : byte));
        const read = () => readPolicyDocument(r.scope, damaged);
        // Some changed bytes give another valid policy. It must never be read as the original.
        try {
          expect(writePolicyDocument(read())).toEqual(damaged);
        } catch (error) {
          expect(String(error)).toMatch("allows nothing");
        }
      }),
      runs,
    );
  });

  it("is not written with entries out of order or twice, or hours and texts that no policy has", () => {
    fc.assert(
      fc.property(policy, ref, (p, r) => {
        const document = documentOfPolicy(p, false, r, addresses);
        const [a, b] = document.assets;
        if (!a || !b) throw new Error("the document names no assets");
        const wrong: Partial<PolicyDocument>[] = [
          { assets: [b, a] },
          { assets: [a, a] },
          { assets: [{ ...a, daily: 2n ** 64n }, b] },
          { recipients: ["@b", "@a"] },
          { recipients: ["@a", "@a"] },
          { recipients: [""] },
          { recipients: ["@é"] },
          { hours: { start: 60, end: 60 } },
          { hours: { start: 1440, end: 60 } },
          { hours: { start: 0.5, end: 60 } },
          { zone: "" },
          {
            further: further(document.further, {
              recipientLimits: [{ recipient: "@a", perTransaction: null, monthly: null }],
            }),
          },
          { further: further(document.further, { monthly: 2n ** 64n }) },
        ];
        for (const change of wrong) expect(() => writePolicyDocument({ ...document, ...change })).toThrow();
      }),
      { numRuns: 5 },
    );
  });

  // Existing policies need no new signature, and a version that does not know the rule computes another hash.
  it("has the format of before unless it allows public payments or has a rule by name", () => {
    fc.assert(
      fc.property(policy, ref, (p, r) => {
        const format = (publicPayments: boolean, paymentsPerHour: number | null = null) =>
          writePolicyDocument(documentOfPolicy({ ...p, publicPayments, paymentsPerHour }, false, r, addresses))[0];
        const hasFurther = p.monthlyLimit !== null || p.paymentsPerDay !== null || p.recipientLimits.length > 0;
        expect([format(false), format(true)]).toEqual([hasFurther ? 2 : 1, 3]);
        expect([format(false, 5), format(true, 5)]).toEqual([4, 4]);
      }),
      runs,
    );
  });

  it("leaves recipients to the service exactly when it allows one that it does not name, or public payments", () => {
    fc.assert(
      fc.property(policy, recipient, (p, to) => {
        const named = p.allowedRecipients.includes(`@${to.handle}`) || p.allowedRecipients.includes(to.address);
        if ((allowsRecipient(p.allowedRecipients, to) && !named) || p.publicPayments)
          expect(hasOpenRecipients(p)).toBe(true);
        expect(hasOpenRecipients({ ...p, allowedRecipients: [...p.allowedRecipients, "*"] })).toBe(true);
        const listed = { ...p, allowedRecipients: ["@ape", to.address] };
        expect(hasOpenRecipients({ ...listed, publicPayments: false })).toBe(false);
        expect(hasOpenRecipients({ ...listed, publicPayments: true })).toBe(true);
      }),
      runs,
    );
  });
});
