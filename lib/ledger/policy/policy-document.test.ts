import { describe, expect, it } from "vitest";
import { LedgerError } from "../crypto/errors";
import { NO_OPTIONAL_RULES, type PolicyDocument, readPolicyDocument, writePolicyDocument } from "./policy-document";

const at = (byte: string, length = 20) => `0x${byte.repeat(length)}` as const;
const scope = { chainId: 46630, ledger: at("aa"), domainSalt: at("11", 32) };
const limits = { perPayment: 1n, daily: 2n, threshold: 3n };
const document: PolicyDocument = {
  scope,
  holder: at("a9"),
  version: 4n,
  paused: false,
  hours: { start: 0, end: 1440 },
  zone: "UTC",
  assets: [{ asset: at("cc"), allowed: true, ...limits }],
  recipients: ["@bob"],
  ...NO_OPTIONAL_RULES,
};

describe("a policy document", () => {
  it("comes back as it was written", () => {
    expect(readPolicyDocument(scope, writePolicyDocument(document))).toEqual(document);
  });

  // An address of another length would shift the fields after it, so that two policies could have the same hash.
  it("is not written of what has no one form, and the error is the library's own", () => {
    const wrong: Partial<PolicyDocument>[] = [
      { holder: at("a9", 19) },
      { holder: at("a9", 21) },
      { holder: "0xzz" as never },
      { scope: { ...scope, ledger: at("aa", 21) } },
      { version: -1n },
      { version: 1n << 64n },
      { hours: { start: 0, end: 0 } },
      { hours: { start: 0.5, end: 9 } },
      { zone: "" },
      { zone: "Z\u00fcrich" },
      { recipients: ["@bob", "@alice"] },
      { recipients: ["@bob", "@bob"] },
      { recipients: ["a".repeat(256)] },
      { assets: [{ asset: at("cc", 21), allowed: true, ...limits }] },
      { assets: [{ asset: at("cc"), allowed: true, ...limits, daily: 1n << 64n }] },
      { assets: [at("cc"), at("CC")].map((asset) => ({ asset, allowed: true, ...limits })) },
    ];
    for (const one of wrong) expect(() => writePolicyDocument({ ...document, ...one })).toThrow(LedgerError);
  });
});
