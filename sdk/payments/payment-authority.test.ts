import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { requirePaymentKey } from "./payment-authority";

const key = (byte: string) => `0x${byte.repeat(20)}` as const;
const [now, before, other] = [key("11"), key("22"), key("33")];
const DEADLINE = 1_000n;

/** An account without a policy, with a payment key on the ledger. */
function partyWith(signer: `0x${string}`): LedgerParty {
  const record = {
    viewingKey: `0x${"aa".repeat(32)}` as const,
    owner: zeroAddress,
    signer,
    until: 2_000n,
    nonce: 0n,
    policyVersion: 0n,
    guarded: false,
    limited: false,
  };
  return { address: key("44"), record };
}

const vault = { paymentKey: { address: now, privateKey: `0x${"55".repeat(32)}` as const }, replaced: [before] };
const check = (signer: `0x${string}`, mine: Parameters<typeof requirePaymentKey>[2] = vault) =>
  requirePaymentKey(partyWith(signer), true, mine, DEADLINE);

test("the ledger's key pays", () => {
  expect(() => check(now)).not.toThrow();
});

test("a key that the ledger does not have yet, or has lost with a block, is asked to wait", () => {
  expect(() => check(before)).toThrow(expect.objectContaining({ code: "unavailable" }));
});

test("a rotation by another client is a refusal, also for a client that rotated before", () => {
  expect(() => check(other)).toThrow(expect.objectContaining({ code: "key_forbidden" }));
  expect(() => check(before, { ...vault, replaced: [] })).toThrow(expect.objectContaining({ code: "key_forbidden" }));
});
