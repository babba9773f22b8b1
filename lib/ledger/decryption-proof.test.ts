import { afterAll, describe, expect, it } from "vitest";
import { createLocalProver } from "@/lib/prover/create-local-prover";
import {
  availableCommitment,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  EMPTY_NOTE,
  noteCommitment,
} from "./crypto/commitments";
import { InvalidDecryptionProof } from "./crypto/errors";
import { commitmentToHex } from "./crypto/field";
import { NO_WINDOW } from "./crypto/window";
import { balanceSignals, makeDecryptionProof } from "./decryption-proof";
import { DECRYPTION_PROOF_AGE, decodeDecryptionProof, namedHoldings } from "./decryption-proof-document";
import { encodeDecryptionProof } from "./encode-decryption-proof";
import type { Prove } from "./prepare/witness";

const prover = createLocalProver();
afterAll(() => prover.close());

const scope = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
const [account, usdg, eth] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`, `0x${"00".repeat(20)}`] as const;
const NOW = 1_800_000_000n;
const notes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ amount: BigInt(i + 1), salt: BigInt(i + 9) }));
const available = { limit: 500n, salt: 3n, window: NO_WINDOW };
const echo: Prove = async (_, input) => ({
  proof: `0x${"00".repeat(256)}`,
  publicSignals: [...(input.notes as bigint[]), input.available as bigint, input.total as bigint, input.ctx as bigint],
});
const request = (assets: Parameters<typeof makeDecryptionProof>[0]["assets"]) => ({
  scope,
  account,
  block: 12n,
  issuedAt: NOW,
  assets,
});

describe("the decryption proof", () => {
  it("proves notes and available balance to a verifier that knows the named commitments and the total only", async () => {
    const text = await makeDecryptionProof(request([{ asset: usdg, notes: notes(3), available }]), prover.prove);
    const document = decodeDecryptionProof(text);
    const [entry] = document.proofs;
    if (!entry) throw new Error("expected a proof");
    const signals = balanceSignals(scope, document, entry);
    expect(await prover.verify("balance", entry.proof, signals)).toBe(true);
    for (const lie of [
      { document, entry: { ...entry, total: "507" } },
      { document, entry: { ...entry, asset: eth } },
      { document, entry: { ...entry, notes: entry.notes.slice(1) } },
      { document: { ...document, account: usdg }, entry },
      { document: { ...document, block: "13" }, entry },
      { document: { ...document, issued_at: (NOW + 1n).toString() }, entry },
    ]) {
      expect(await prover.verify("balance", entry.proof, balanceSignals(scope, lie.document, lie.entry))).toBe(false);
    }
    const elsewhere = balanceSignals({ ...scope, chainId: 4663 }, document, entry);
    expect(await prover.verify("balance", entry.proof, elsewhere)).toBe(false);
    expect(namedHoldings(document, NOW)).toEqual([
      { asset: usdg, notes: entry.notes, available: commitmentToHex(availableCommitment(available)), total: 506n },
    ]);
  });

  it("proves an available balance that has counted under a policy by its whole word", async () => {
    const window = { spent: 120n, day: 20_500n };
    const held = [{ asset: usdg, notes: notes(1), available: { ...available, window } }];
    const document = decodeDecryptionProof(await makeDecryptionProof(request(held), prover.prove));
    const [entry] = document.proofs;
    if (!entry) throw new Error("expected a proof");
    expect(entry.available).toBe(commitmentToHex(availableCommitment({ ...available, window })));
    expect(await prover.verify("balance", entry.proof, balanceSignals(scope, document, entry))).toBe(true);
    expect(entry.total).toBe("501");
  });

  // A note or available balance counted twice would be money that does not exist.
  it("counts every note once and the available balance in an asset's first proof only, over any number of notes", async () => {
    const held = [
      { asset: usdg, notes: notes(40), available },
      { asset: eth, notes: [], available: EMPTY_AVAILABLE_OPENING },
    ];
    const document = decodeDecryptionProof(await makeDecryptionProof(request(held), echo));
    expect(document.proofs.map((entry) => entry.notes.length)).toEqual([16, 0, 16, 8]);
    expect(document.proofs.filter((entry) => entry.available !== commitmentToHex(EMPTY_AVAILABLE))).toHaveLength(1);
    const [first] = namedHoldings(document, NOW);
    expect(first?.total).toBe(500n + (40n * 41n) / 2n);
    expect(first?.notes).toEqual(notes(40).map((note) => commitmentToHex(noteCommitment(note))));
  });

  it("keeps every batch below 2^64", async () => {
    const big = [1n, 2n, 3n].map((salt) => ({ amount: (1n << 63n) + 1n, salt }));
    const document = decodeDecryptionProof(
      await makeDecryptionProof(request([{ asset: usdg, notes: big, available }]), echo),
    );
    expect(document.proofs.map((entry) => entry.notes.length)).toEqual([1, 1, 1]);
    expect(namedHoldings(document, NOW)[0]?.total).toBe(3n * ((1n << 63n) + 1n) + 500n);
  });

  it("is refused when old, from the future, naming a note twice, an empty note, a second available balance or nothing", async () => {
    const text = await makeDecryptionProof(request([{ asset: usdg, notes: notes(20), available }]), echo);
    const document = decodeDecryptionProof(text);
    const [first, second] = document.proofs;
    if (!first || !second) throw new Error("expected two proofs");
    expect(() => namedHoldings(document, NOW + DECRYPTION_PROOF_AGE)).not.toThrow();
    expect(() => namedHoldings(document, NOW + DECRYPTION_PROOF_AGE + 1n)).toThrow(InvalidDecryptionProof);
    expect(() => namedHoldings(document, NOW - 61n)).toThrow(InvalidDecryptionProof);
    const note = first.notes.slice(0, 1);
    for (const proofs of [
      [first, { ...second, notes: note }],
      [{ ...first, notes: [...note, ...note] }],
      [{ ...first, notes: [commitmentToHex(EMPTY_NOTE)] }],
      [first, { ...second, available: first.available }],
      [first, second, { ...second, notes: [] }],
      [
        { ...first, notes: [] },
        { ...first, notes: [], available: second.available },
      ],
    ]) {
      expect(() => namedHoldings({ ...document, proofs }, NOW)).toThrow(InvalidDecryptionProof);
    }
    // The same commitment in two assets is two notes.
    expect(() =>
      namedHoldings({ ...document, proofs: [first, { ...second, asset: eth, notes: note }] }, NOW),
    ).not.toThrow();
  });

  it("is refused when damaged in any way", async () => {
    const text = await makeDecryptionProof(request([{ asset: usdg, notes: notes(1), available }]), echo);
    const document = decodeDecryptionProof(text);
    expect(encodeDecryptionProof(document)).toBe(text);
    const altered = (change: object) => btoa(JSON.stringify({ ...document, ...change }));
    for (const wrong of [
      "",
      "x",
      "!!!!",
      text.slice(0, -8),
      btoa("null"),
      btoa("[]"),
      altered({ version: 2 }),
      altered({ extra: 1 }),
      altered({ block: -1 }),
      altered({ proofs: [{}] }),
      "A".repeat(70_000),
    ]) {
      expect(() => decodeDecryptionProof(wrong)).toThrow(InvalidDecryptionProof);
    }
  });
});
