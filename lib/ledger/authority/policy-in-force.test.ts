import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, limits, scope } from "@/test/ledger/arbitraries";

import { NO_OPTIONAL_RULES, type PolicyDocument, policyDocumentHash } from "../policy/policy-document";
import { planSetPolicy } from "./plan-set-policy";
import { policyInForce } from "./policy-in-force";

const asset = `0x${"cc".repeat(20)}` as const;
const document: fc.Arbitrary<PolicyDocument> = fc
  .record({ sc: scope, holder: address, version: fc.bigInt(2n, 1n << 40n), paused: fc.boolean(), some: limits })
  .map(({ sc, some, ...rest }) => ({
    scope: sc,
    ...rest,
    hours: { start: 480, end: 1080 },
    zone: "Europe/Berlin",
    assets: [{ asset, allowed: true, ...some }],
    recipients: ["*.shop.com", "@bob"],
    ...NO_OPTIONAL_RULES,
  }));

/** Returns what the ledger has after the policy is set. */
const onLedger = (salt: Uint8Array, one: PolicyDocument) => ({
  policyVersion: one.version,
  documentHash: policyDocumentHash(salt, one),
});

/** Returns every way to loosen a policy's rows by changing the database. */
const written = (one: PolicyDocument): PolicyDocument[] => [
  { ...one, paused: !one.paused },
  { ...one, hours: { start: 0, end: 1440 } },
  { ...one, zone: "UTC" },
  { ...one, recipients: ["*", "*.shop.com", "@bob"] },
  { ...one, holder: `0x${"ab".repeat(20)}` },
  { ...one, version: one.version - 1n },
  { ...one, version: one.version + 1n },
  ...(["perPayment", "daily", "threshold"] as const).map((limit) => ({
    ...one,
    assets: one.assets.map((entry) => ({ ...entry, [limit]: entry[limit] ^ 1n })),
  })),
  { ...one, assets: one.assets.map((entry) => ({ ...entry, allowed: false })) },
];

describe("a policy is in force", () => {
  it("as the ledger has it, and with no rule, salt, holder or version changed", () => {
    fc.assert(
      fc.property(bytes(32), document, (salt, one) => {
        const onChain = onLedger(salt, one);
        expect(policyInForce(salt, one, onChain)).toBe(true);
        for (const other of written(one)) expect(policyInForce(salt, other, onChain)).toBe(false);
        expect(
          policyInForce(
            salt.map((byte) => byte ^ 1),
            one,
            onChain,
          ),
        ).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  // A rotation sets new signers but no policies, and the agents must continue.
  it("also after the ledger's version was raised by a new signer", () => {
    fc.assert(
      fc.property(bytes(32), document, fc.bigInt(1n, 9n), (salt, one, raised) => {
        const onChain = { ...onLedger(salt, one), policyVersion: one.version + raised };
        expect(policyInForce(salt, one, onChain)).toBe(true);
        for (const other of written(one)) expect(policyInForce(salt, other, onChain)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });

  it("as a setPolicy under way says, and no more as the ledger still does, until that has another version", () => {
    fc.assert(
      fc.property(bytes(32), document, (salt, one) => {
        const former = { ...one, version: one.version - 1n, paused: !one.paused };
        const before = onLedger(salt, former);
        const underWay = { ...planSetPolicy(salt, one, "anyone", 9n).draft, signature: "0x01" as const };
        expect(policyInForce(salt, one, before)).toBe(false);
        expect(policyInForce(salt, former, before)).toBe(true);
        expect(policyInForce(salt, one, before, underWay)).toBe(true);
        expect(policyInForce(salt, former, before, underWay)).toBe(false);
        for (const other of written(one)) expect(policyInForce(salt, other, before, underWay)).toBe(false);
        const ofAnother = { ...underWay, account: `0x${"ab".repeat(20)}` as const };
        expect(policyInForce(salt, one, before, ofAnother)).toBe(false);
        const overtaken = { ...before, policyVersion: one.version };
        expect(policyInForce(salt, one, overtaken, underWay)).toBe(false);
        expect(policyInForce(salt, former, overtaken, underWay)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
