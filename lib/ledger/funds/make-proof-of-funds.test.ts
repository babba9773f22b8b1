import { afterAll, describe, expect, it } from "vitest";
import { createLocalProver } from "@/lib/prover/create-local-prover";
import { availableCommitment } from "../crypto/commitments";
import { NO_WINDOW } from "../crypto/window";
import { makeProofOfFunds } from "./make-proof-of-funds";
import { fundsSignals } from "./proof-of-funds";

const prover = createLocalProver();
afterAll(() => prover.close());

const statement = {
  chainId: 46630,
  ledger: `0x${"aa".repeat(20)}`,
  account: `0x${"a1".repeat(20)}`,
  asset: `0x${"b2".repeat(20)}`,
  minimum: 1_000n,
  deposited: 100n,
  block: 7n,
  expires: 1_800_000_000n,
  challenge: `0x${"c4".repeat(16)}`,
  verifier: "North Bank",
  purpose: "",
} as const;

describe("a proof of funds", () => {
  it.each([
    { of: "an available balance without a policy", window: NO_WINDOW },
    { of: "an available balance that has counted under a policy", window: { spent: 120n, day: 20_500n } },
  ])("is proven with the whole word of $of", async ({ window }) => {
    const available = { limit: 700n, salt: 3n, window };
    const proof = await makeProofOfFunds(statement, { notes: [{ amount: 200n, salt: 9n }], available }, prover.prove);
    expect(proof.available).toBe(availableCommitment(available));
    expect(await prover.verify("at-least", proof.proof, fundsSignals(proof))).toBe(true);
    const more = fundsSignals({ ...proof, minimum: 1_001n });
    expect(await prover.verify("at-least", proof.proof, more)).toBe(false);
  });
});
