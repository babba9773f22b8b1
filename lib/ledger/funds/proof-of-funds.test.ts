import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, commitment, positiveUnits, units } from "@/test/ledger/arbitraries";
import { toHex } from "../crypto/bytes";
import { EMPTY_NOTE } from "../crypto/commitments";
import { InvalidProofOfFunds } from "../crypto/errors";
import { FIELD_ORDER } from "../crypto/field";
import { fundsContext, isPurpose, isRoundMinimum, isVerifierName } from "./funds-statement";
import { decodeProofOfFunds, encodeProofOfFunds, fundsSignals, type ProofOfFunds } from "./proof-of-funds";

const name = fc.constantFrom("North Bank", "三菱商事", "x".repeat(120), "Müller & Söhne (2)", "é".normalize("NFC"));
const notes = fc
  .uniqueArray(commitment, { maxLength: 16 })
  .map((commitments) => commitments.filter((each) => each !== 0n).sort((a, b) => (a < b ? -1 : 1)));

const proofs: fc.Arbitrary<ProofOfFunds> = fc
  .record({
    chainId: fc.constantFrom(46630, 4663),
    ledger: address,
    account: address,
    asset: address,
    minimum: positiveUnits,
    deposited: units,
    block: units,
    expires: units,
    challenge: bytes(16).map(toHex),
    verifier: name,
    purpose: fc.oneof(fc.constant(""), name),
    notes,
    available: commitment,
    proof: bytes(256).map(toHex),
  })
  .map((funds) => ({ ...funds, deposited: funds.deposited % (funds.minimum + 1n) }));

/** Returns the signals against which a verifier would check the proof; null if the text is not a proof of funds. */
function signalsOf(text: string): string | null {
  try {
    const funds = decodeProofOfFunds(text);
    return [...fundsSignals(funds), funds.proof].join();
  } catch (error) {
    if (error instanceof InvalidProofOfFunds) return null;
    throw error;
  }
}

describe("a proof of funds", () => {
  it("comes back as it was written, from its text and from a link", () => {
    fc.assert(
      fc.property(proofs, (funds) => {
        const text = encodeProofOfFunds(funds);
        expect(decodeProofOfFunds(text)).toEqual(funds);
        expect(decodeProofOfFunds(` https://pay.example/proof-of-funds#${text}\n`)).toEqual(funds);
        expect(encodeProofOfFunds(decodeProofOfFunds(text))).toBe(text);
        expect(fundsSignals(funds)).toHaveLength(19);
      }),
      { numRuns: 20 },
    );
  });

  it("is bound to everything it says: another field, another statement to prove", () => {
    fc.assert(
      fc.property(proofs, proofs, (funds, other) => {
        for (const field of Object.keys(funds) as (keyof ProofOfFunds)[]) {
          const altered = { ...funds, [field]: other[field] };
          if (String(funds[field]) === String(other[field]) || altered.deposited > altered.minimum) continue;
          expect([field, signalsOf(encodeProofOfFunds(altered))]).not.toEqual([
            field,
            signalsOf(encodeProofOfFunds(funds)),
          ]);
        }
      }),
      { numRuns: 10 },
    );
  });

  // If both are raised by the same amount, their difference, which is all the circuit sees, stays the same.
  it("binds minimum and deposited money apart from each other", () => {
    fc.assert(
      fc.property(proofs, (funds) => {
        fc.pre(funds.minimum < (1n << 64n) - 1n);
        const raised = { ...funds, minimum: funds.minimum + 1n, deposited: funds.deposited + 1n };
        expect(fundsContext(raised)).not.toBe(fundsContext(funds));
      }),
      { numRuns: 10 },
    );
  });

  it("does not move text from the name into the purpose", () => {
    fc.assert(
      fc.property(proofs, (funds) => {
        const [one, other] = [
          { ...funds, verifier: "North", purpose: "wind" },
          { ...funds, verifier: "Northw", purpose: "ind" },
        ];
        expect(fundsContext(one)).not.toBe(fundsContext(other));
        expect(encodeProofOfFunds(one)).not.toBe(encodeProofOfFunds(other));
      }),
      { numRuns: 5 },
    );
  });

  it("has one text: any other character, length or last bits are refused or prove something else", () => {
    fc.assert(
      fc.property(proofs, fc.nat(), fc.nat(), (funds, at, by) => {
        const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        const text = encodeProofOfFunds(funds);
        const character = alphabet[by % alphabet.length] as string;
        const place = at % text.length;
        fc.pre(character !== text[place]);
        const signals = signalsOf(text);
        expect(signalsOf(text.slice(0, place) + character + text.slice(place + 1))).not.toBe(signals);
        for (const last of "ABEQgw_") {
          if (!text.endsWith(last)) expect(signalsOf(text.slice(0, -1) + last)).not.toBe(signals);
        }
        expect(signalsOf(text.slice(0, -1))).toBeNull();
        expect(signalsOf(`${text}A`)).toBeNull();
      }),
      { numRuns: 10 },
    );
  });

  it("is not made of a note named twice, an empty note, no minimum, more deposited money than that, or a disguised name", () => {
    const [funds] = fc.sample(proofs, { numRuns: 1, seed: 7 }) as [ProofOfFunds];
    for (const change of [
      { notes: [5n, 5n] },
      { notes: [6n, 5n] },
      { notes: [0n] },
      { notes: [EMPTY_NOTE] },
      { notes: [FIELD_ORDER] },
      { notes: Array.from({ length: 17 }, (_, i) => BigInt(i + 1)) },
      { available: FIELD_ORDER },
      { minimum: 0n, deposited: 0n },
      { minimum: 1n << 64n },
      { deposited: funds.minimum + 1n },
      { verifier: "" },
      { verifier: " Bank" },
      { verifier: "Bank\nof trust" },
      { verifier: "Bank\u202eknaB" },
      { verifier: "Ba\u200bnk" },
      { verifier: "x".repeat(121) },
      { verifier: "Cafe\u0301" },
      { purpose: "x".repeat(281) },
      { purpose: "\ud800" },
      { challenge: "0x00" as const },
      { proof: "0x00" as const },
    ]) {
      expect(() => encodeProofOfFunds({ ...funds, ...change }), JSON.stringify(Object.keys(change))).toThrow();
    }
  });

  it("is no other text", () => {
    for (const text of ["", "#", "hcf1_", "hcf1_AAAA", `hcr1_${"A".repeat(208)}`, "{}", `hcf1_${"A".repeat(5000)}`]) {
      expect(() => decodeProofOfFunds(text)).toThrow(InvalidProofOfFunds);
    }
  });
});

describe("a minimum", () => {
  it("is offered only as 1, 2 or 5 times a power of ten", () => {
    const round = [1n, 2n, 5n, 10n, 20n, 50n, 5_000_000_000n, 10n ** 19n];
    const refused = [0n, 3n, 11n, 15n, 5_001n, 4_999n, 5_100_000n, 10n ** 20n, -1n];
    expect(round.filter(isRoundMinimum)).toEqual(round);
    expect(refused.filter(isRoundMinimum)).toEqual([]);
  });
});

describe("texts of a statement", () => {
  it("may be in any script, and a purpose may be empty", () => {
    for (const text of ["Bank", "Société Générale", "三菱商事", "بنك الشمال", "Müller & Söhne (2)"]) {
      expect(isVerifierName(text.normalize("NFC"))).toBe(true);
    }
    expect([isPurpose(""), isVerifierName("")]).toEqual([true, false]);
  });
});
