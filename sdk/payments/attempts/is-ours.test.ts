import type { Address, Hex } from "viem";
import { expect, test } from "vitest";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent, MoneyEvent } from "@/lib/ledger/ledger-events";
import { isOurs, usesItsId } from "./is-ours";
import { type PendingPayment, readPending } from "./pending-payment";

const address = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const [PAYER, PAYEE, OTHER, ASSET] = [address(1), address(2), address(3), address(4)];
const ID: Hex = `0x${"ab".repeat(32)}`;
const at = { blockNumber: 1n, logIndex: 0, transactionHash: ID };
const record = (parts: Partial<PendingPayment>): PendingPayment => ({
  version: 1,
  id: "order-1",
  kind: "release",
  chain_id: 1,
  ledger: address(5),
  account: PAYER,
  to: PAYEE,
  asset: ASSET,
  since_block: "1",
  documents: [{ old_commitment: commitmentToHex(1n), new_commitment: commitmentToHex(2n), deadline: 9 }],
  ...parts,
});
const released = (args: Partial<LedgerEvent<"Released">["args"]>): MoneyEvent => ({
  ...at,
  eventName: "Released",
  args: {
    account: PAYER,
    to: PAYEE,
    asset: ASSET,
    oldAvailable: 1n,
    newAvailable: 2n,
    amount: 5n,
    paymentId: ID,
    payerCiphertext: "0x",
    ...args,
  },
});

test("a public payment is known by its id, its recipient and its commitment: the commitment, which another payment may leave, is not enough", () => {
  const ours = record({ payment_id: ID });
  expect(isOurs(released({}), ours)).toBe(true);
  for (const other of [
    { paymentId: `0x${"cd".repeat(32)}` as Hex },
    { to: OTHER },
    { asset: OTHER },
    { account: OTHER },
    { newAvailable: 3n },
  ]) {
    expect(isOurs(released(other), ours), JSON.stringify(Object.keys(other))).toBe(false);
  }
});

test("an id that went to something else is seen, whatever asset and recipient took it", () => {
  const ours = record({ payment_id: ID });
  expect(usesItsId(released({ to: OTHER, asset: OTHER, newAvailable: 3n }), ours)).toBe(true);
  expect(usesItsId(released({ account: OTHER }), ours)).toBe(false);
});

test("a payment is known by its note, also when it settles by a document of another process", () => {
  const ours = record({ kind: "transfer", note: commitmentToHex(7n), documents: [] });
  const args = { account: PAYER, to: PAYEE, asset: ASSET, oldAvailable: 8n, newAvailable: 9n, note: 7n };
  const ciphertexts = { recipientCiphertext: "0x", payerCiphertext: "0x" } as const;
  const event = (change: object): MoneyEvent => {
    return { ...at, eventName: "Transferred", args: { ...args, ...ciphertexts, ...change } };
  };
  expect(isOurs(event({}), ours)).toBe(true);
  for (const change of [{ note: 8n }, { to: OTHER }, { account: OTHER }])
    expect(isOurs(event(change), ours)).toBe(false);
});

test("a batch is known by any of its notes and the one it pays", () => {
  const ours = record({
    kind: "batch",
    payments: [7n, 8n].map((note) => ({ to: PAYEE, note: commitmentToHex(note) })),
  });
  const paid = (note: bigint, to = PAYEE): MoneyEvent => {
    return { ...at, eventName: "Paid", args: { account: PAYER, to, asset: ASSET, note, recipientCiphertext: "0x" } };
  };
  expect([paid(7n), paid(8n), paid(9n), paid(7n, OTHER)].map((event) => isOurs(event, ours))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a payment with a home key is known by its note also where it was paid with others", () => {
  const ours = record({ kind: "transfer", note: commitmentToHex(7n), documents: [] });
  const paid = (note: bigint, to = PAYEE, account = PAYER): MoneyEvent => {
    return { ...at, eventName: "Paid", args: { account, to, asset: ASSET, note, recipientCiphertext: "0x" } };
  };
  const events = [paid(7n), paid(8n), paid(7n, OTHER), paid(7n, PAYEE, OTHER)];
  expect(events.map((event) => isOurs(event, ours))).toEqual([true, false, false, false]);
});

test("a kept record names its payment as its kind does, and in no other way", () => {
  const note = commitmentToHex(7n);
  const payments = [1n, 2n].map((commitment) => ({ to: PAYEE, note: commitmentToHex(commitment) }));
  const sound = [
    record({ payment_id: ID }),
    record({ kind: "fund", payment_id: ID }),
    record({ kind: "transfer", note }),
    record({ kind: "batch", payments }),
    record({ kind: "make_available" }),
  ];
  for (const one of sound) expect(readPending(JSON.parse(JSON.stringify(one)))).toEqual(one);
  const unsound = [
    record({}),
    record({ payment_id: ID, note }),
    record({ kind: "transfer", payment_id: ID }),
    record({ kind: "transfer", note, to: undefined }),
    record({ kind: "batch", payments: payments.slice(1) }),
    record({ kind: "batch" }),
    record({ kind: "make_available", payment_id: ID }),
  ];
  for (const one of unsound) expect(() => readPending(JSON.parse(JSON.stringify(one)))).toThrow("not the record");
});
