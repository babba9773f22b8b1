import fc from "fast-check";
import type { Address, Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes, commitment, scope } from "@/test/ledger/arbitraries";
import { toHex } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { commitmentToHex } from "../crypto/field";
import { keySigner } from "../prepare/key-signer";
import { keyBehind } from "../prepare/signature";
import { AuthorityDocumentSchema, type AuthorityDraft } from "./authority-documents";
import { NO_END } from "./authority-limits";
import { authorityRequest } from "./authority-request";
import { signAuthority } from "./sign-authority";

const u64 = fc.bigInt(0n, (1n << 64n) - 1n).map(String);
const end = fc.bigInt(0n, NO_END).map(String);
const hash = bytes(32).map(toHex);
const aCommitment = commitment.map(commitmentToHex);
const inOrder = fc.uniqueArray(address, { minLength: 1, maxLength: 4 }).map((list) => [...list].sort());

/** Generators of drafts by kind. */
const drafts = {
  set_payment_key: fc.record({
    account: address,
    payment_key: address,
    payment_key_until: u64,
    nonce: u64,
    deadline: u64,
  }),
  set_guarded: fc.record({ account: address, guarded: fc.boolean(), nonce: u64, deadline: u64 }),
  abandon: fc.record({ account: address, asset: address, old_available: aCommitment, nonce: u64, deadline: u64 }),
  set_policy: fc
    .record({
      head: fc.record({ account: address, limited: fc.boolean(), recipients_root: hash, document_hash: hash }),
      assets: inOrder,
      commitments: fc.array(aCommitment, { minLength: 4, maxLength: 4 }),
      tail: fc.record({ policy_version: u64, deadline: u64 }),
    })
    .map(({ head, assets, commitments, tail }) => ({
      ...head,
      assets,
      commitments: commitments.slice(0, assets.length),
      ...tail,
    })),
  set_agent_signer: fc
    .record({
      owner: address,
      agents: inOrder,
      signers: fc.array(address, { minLength: 4, maxLength: 4 }),
      versions: fc.array(u64, { minLength: 4, maxLength: 4 }),
      tail: fc.record({ until: end, deadline: u64 }),
    })
    .map(({ owner, agents, signers, versions, tail }) => {
      const count = agents.length;
      return { owner, agents, signers: signers.slice(0, count), policy_versions: versions.slice(0, count), ...tail };
    }),
};
const draft = fc.oneof(
  ...Object.entries(drafts).map(([kind, one]) => (one as fc.Arbitrary<object>).map((rest) => ({ kind, ...rest }))),
) as fc.Arbitrary<AuthorityDraft>;

const key: Hex = `0x${"42".repeat(32)}`;
const runs = { numRuns: 60 };

/** Returns another valid value for a field. */
function changed(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value.slice(0, -1), changed(value.at(-1))];
  const text = String(value);
  if (!text.startsWith("0x")) return text === "7" ? "8" : "7";
  return `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;
}

describe("a document of authority", () => {
  it("is signed over exactly its fields, and passes the schema", async () => {
    await fc.assert(
      fc.asyncProperty(scope, draft, async (sc, one) => {
        const document = await signAuthority(sc, one, keySigner(key));
        const { signature, ...rest } = document;
        expect(rest).toEqual(one);
        expect(AuthorityDocumentSchema.parse(document)).toEqual(document);
        const { digest } = authorityRequest(sc, document);
        expect(await keyBehind(digest, signature)).toBe(privateKeyToAddress(key).toLowerCase());
      }),
      runs,
    );
  });

  it("has another digest when any of its fields differs, so nothing in it is without a signature", () => {
    fc.assert(
      fc.property(scope, draft, (sc, one) => {
        const { digest } = authorityRequest(sc, one);
        for (const [name, value] of Object.entries(one)) {
          if (name === "kind") continue;
          const other = { ...one, [name]: changed(value) } as AuthorityDraft;
          expect([name, authorityRequest(sc, other).digest === digest]).toEqual([name, false]);
        }
        expect(authorityRequest({ ...sc, domainSalt: changed(sc.domainSalt) as Hex }, one).digest).not.toBe(digest);
      }),
      runs,
    );
  });

  it("is never signed with a field that the ledger does not know, without one, or with another's form", async () => {
    const wrong = fc.oneof(fc.anything(), fc.constantFrom("", "-1", "0x", "1.5", null, [], {}, 2n));
    await fc.assert(
      fc.asyncProperty(scope, draft, wrong, fc.nat(), async (sc, one, value, at) => {
        let asked = 0;
        const sign = async () => {
          asked += 1;
          return `0x${"11".repeat(65)}` as const;
        };
        const refused = async (other: object) =>
          expect(signAuthority(sc, other as AuthorityDraft, sign)).rejects.toBeInstanceOf(LedgerError);
        await refused({ ...one, unknown: "1" });
        const names = Object.keys(one);
        const name = names[at % names.length] as keyof AuthorityDraft;
        const { [name]: _gone, ...without } = one;
        await refused(without);
        const other = { ...one, [name]: value };
        if (!AuthorityDocumentSchema.safeParse({ ...other, signature: "0x01" }).success) await refused(other);
        expect(asked).toBe(0);
      }),
      runs,
    );
  });

  it("is not read with lists of different lengths, an entry twice or out of order, or an end beyond 40 bits", () => {
    const signature = "0x01";
    const refuses = (document: object) =>
      expect(AuthorityDocumentSchema.safeParse({ ...document, signature }).success).toBe(false);
    fc.assert(
      fc.property(drafts.set_policy, drafts.set_agent_signer, (policy, signers) => {
        const [p, s] = [
          { kind: "set_policy", ...policy },
          { kind: "set_agent_signer", ...signers },
        ];
        refuses({ ...p, commitments: [...policy.commitments, policy.commitments[0]] });
        refuses({
          ...p,
          assets: [...policy.assets, policy.assets[0]],
          commitments: [...policy.commitments, policy.commitments[0]],
        });
        refuses({ ...s, signers: signers.signers.slice(1) });
        refuses({ ...s, policy_versions: [...signers.policy_versions, "1"] });
        refuses({ ...s, until: (NO_END + 1n).toString() });
        const [first] = signers.agents as [Address];
        const twice = { agents: [first, first], signers: [first, first], policy_versions: ["1", "1"] };
        refuses({ ...s, ...twice });
        refuses({ ...s, agents: [], signers: [], policy_versions: [] });
      }),
      runs,
    );
  });

  it("refuses any value whatever without an error of another kind", () => {
    fc.assert(
      fc.property(fc.anything(), draft, fc.nat(), (value, one, at) => {
        const names = Object.keys(one);
        const spoilt = { ...one, signature: "0x01", [names[at % names.length] ?? ""]: value };
        for (const input of [value, spoilt]) expect(() => AuthorityDocumentSchema.safeParse(input)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
