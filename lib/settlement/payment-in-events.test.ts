import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { packTerms } from "@/lib/ledger/crypto/terms";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { paymentsInEvents } from "./index-payments";
import { paymentInEvents } from "./payment-in-events";

const at = (byte: string): Hex => `0x${byte.repeat(20)}`;
const commitment = (n: bigint): Hex => `0x${n.toString(16).padStart(64, "0")}`;
const hash: Hex = `0x${"cd".repeat(32)}`;
const [account, to, other, asset] = [at("a1"), at("b0"), at("ca"), at("a5")];
const commitments = { oldAvailable: 1n, newAvailable: 2n };

/** Returns the events of one transaction, in order. */
const inOrder = (...events: Pick<LedgerEvent, "eventName" | "args">[]) =>
  events.map((event, index) => ({
    ...event,
    blockNumber: 9n,
    logIndex: index + 4,
    transactionHash: hash,
  })) as LedgerEvent[];

const transferred = {
  eventName: "Transferred" as const,
  args: {
    account,
    to,
    asset,
    ...commitments,
    note: 7n,
    recipientCiphertext: "0x0a" as Hex,
    payerCiphertext: "0x0b" as Hex,
  },
};
const released = {
  eventName: "Released" as const,
  args: { account, to, asset, ...commitments, amount: 5n, paymentId: commitment(8n), payerCiphertext: "0x0b" as Hex },
};
const limited = (mode: 0 | 1 | 2) => ({
  eventName: "Limited" as const,
  args: {
    account,
    asset,
    newAvailable: 2n,
    terms: packTerms({ mode, day: mode === 2 ? 0n : 20_000n }),
    encryptedAmount: 3n,
  },
});
const batch = {
  eventName: "BatchTransferred" as const,
  args: { account, asset, ...commitments, payerCiphertext: "0x0b" as Hex },
};
const paid = (recipient: Hex, note: bigint) => ({
  eventName: "Paid" as const,
  args: { account, to: recipient, asset, note, recipientCiphertext: "0x0a" as Hex },
});

describe("a payment among the events of its transaction", () => {
  it("is known by its note or payment id, and claims the mode of the event behind it", () => {
    expect(paymentInEvents(inOrder(transferred), 4)).toMatchObject({
      operationKind: "transfer",
      fields: { kind: "transfer", note: commitment(7n), paymentId: null, mode: null, batchIndex: null },
    });
    expect(paymentInEvents(inOrder(transferred, limited(1)), 4)).toMatchObject({
      operationKind: "spend",
      fields: { kind: "transfer", mode: 1 },
    });
    expect(paymentInEvents(inOrder(released), 4)).toMatchObject({
      operationKind: "release",
      fields: { kind: "release", note: null, paymentId: commitment(8n), mode: null },
    });
    expect(paymentInEvents(inOrder(released, limited(2)), 4)).toMatchObject({
      operationKind: "spend_public",
      fields: { mode: 2 },
    });
  });

  it("of a batch has its place, its own note and recipient, and the commitments and copy of the batch", () => {
    const events = inOrder(batch, paid(to, 7n), paid(other, 8n), transferred);
    expect(paymentInEvents(events, 6)).toMatchObject({
      operationKind: "transfer_many",
      recipient: other,
      fields: {
        note: commitment(8n),
        batchIndex: 1,
        oldCommitment: commitment(1n),
        newCommitment: commitment(2n),
        payerCiphertext: "0x0b",
      },
    });
    expect(paymentInEvents(events, 5)).toMatchObject({
      recipient: to,
      fields: { note: commitment(7n), batchIndex: 0 },
    });
    expect(paymentInEvents(events, 4)).toBeNull();
    expect(paymentInEvents(events, 99)).toBeNull();
  });

  it("holds no public amount", () => {
    expect(
      JSON.stringify(paymentInEvents(inOrder({ ...released, args: { ...released.args, amount: 987_654n } }), 4)),
    ).not.toMatch(/987654|f1206/i);
  });
});

describe("the payments that events show", () => {
  it("are one for each recipient of a batch, with the commitment that it leaves", () => {
    const shown = paymentsInEvents(46630, inOrder(batch, paid(to, 7n), paid(other, 8n), released, limited(0)));
    expect(
      shown.map(({ kind, recipient, knownBy, newCommitment, logIndex }) => [
        kind,
        recipient,
        knownBy,
        newCommitment,
        logIndex,
      ]),
    ).toEqual([
      ["transfer", to, commitment(7n), commitment(2n), 5],
      ["transfer", other, commitment(8n), commitment(2n), 6],
      ["release", to, commitment(8n), commitment(2n), 7],
    ]);
  });

  it("are refused when one of a batch stands without it", () => {
    expect(() => paymentsInEvents(46630, inOrder(paid(to, 7n)))).toThrow("of a batch only");
    const [start, payment] = inOrder(batch, paid(to, 7n));
    const elsewhere = { ...payment, transactionHash: `0x${"ef".repeat(32)}` } as LedgerEvent;
    expect(() => paymentsInEvents(46630, [start as LedgerEvent, elsewhere])).toThrow("of a batch only");
  });
});
