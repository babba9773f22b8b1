import { type Address, encodeAbiParameters, type Hex, pad, toEventSelector } from "viem";
import { expect, test } from "vitest";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { MOST_SEEDS, seedsOf } from "@/lib/ledger/crypto/payment-seed";
import { LEDGER_EVENTS } from "@/lib/ledger/ledger-events";
import { alice, asset, bob, scope } from "@/test/ledger/small-ledger";
import type { Context } from "../../context/context";
import type { PendingPayment } from "./pending-payment";
import { NoteTaken, seededPayment, undecryptedSeed } from "./undecrypted-seed";

const RIVAL: Address = `0x${"c3".repeat(20)}`;
const FINAL = 10n;
const first = new Uint8Array(32).fill(7);
const seeds = seedsOf(first, scope);
const payment = seededPayment(scope, { payer: alice, asset, seed: first }, { to: bob, units: 5n });
const noteAt = (at: number) => payment.notesOf(seeds[at] ?? first)[0]?.note ?? "0x";
const topic = (address: Address) => pad(address, { size: 32 });

type Opening = "Transferred" | "Paid" | "MadeAvailable";

/**
 * Returns the log with which a note was opened. A move to the available balance opens a note of the account that makes
 * money available.
 */
function opening(name: Opening, note: Hex, by: Address, block: bigint) {
  const shape = LEDGER_EVENTS.find((one) => one.name === name);
  if (!shape) throw new Error(`the ledger has no ${name}`);
  const rest = shape.inputs.filter((input) => !("indexed" in input));
  const of = (name: string, type: string) => {
    if (name === "note" || name === "changeNote") return hexToCommitment(note);
    if (type === "address") return asset;
    if (type === "uint256[8]") return Array(8).fill(1n);
    return type === "bytes32[4]" ? Array(4).fill(topic(bob)) : 1n;
  };
  const values = rest.map((input) => of(input.name, input.type));
  return {
    topics: [
      toEventSelector(shape),
      ...(name === "MadeAvailable" ? [topic(bob), topic(asset)] : [topic(by), topic(bob)]),
    ],
    data: encodeAbiParameters(rest, values as never),
    blockNumber: `0x${block.toString(16)}` as Hex,
    logIndex: "0x0",
    transactionHash: `0x${"cd".repeat(32)}`,
    note,
  };
}

/** Returns a client whose node has these notes. `unlisted`: used, without an event. */
function clientWith(logs: ReturnType<typeof opening>[], unlisted: Hex[] = []): Context {
  const request = async ({ params }: { params: [{ topics: (Hex | Hex[] | null)[]; toBlock: Hex }] }) => {
    const [{ topics, toBlock }] = params;
    const fits = (log: { topics: Hex[]; blockNumber: Hex }) =>
      BigInt(log.blockNumber) <= BigInt(toBlock) &&
      topics.every((wanted, at) => wanted === null || [wanted].flat().includes(log.topics[at] ?? "0x"));
    return logs.filter(fits);
  };
  const chain = {
    ledger: scope.ledger,
    client: { request, getBlock: async () => ({ number: FINAL }) },
    account: async () => ({ enrolledBlock: 1n }),
    noteStatus: async (_who: Address, _asset: Address, note: bigint, block: string) => {
      expect(block).toBe("finalized");
      const isFinal = logs.some((log) => log.note === commitmentToHex(note) && BigInt(log.blockNumber) <= FINAL);
      return isFinal || unlisted.includes(commitmentToHex(note)) ? 1 : 0;
    },
  };
  const parts = { chain: async () => chain, scope: async () => scope, info: async () => ({ finality: "finalized" }) };
  return parts as unknown as Context;
}

const seedWith = async (context: Context, options = {}) =>
  (await undecryptedSeed(context, payment, { idempotencyKey: "order-1", ...options })).seed;

test.each<Opening>(["Transferred", "Paid", "MadeAvailable"])(
  "a note that someone else opened in a final block by %s gives way to the next, and so does that one",
  async (name) => {
    const one = opening(name, noteAt(0), RIVAL, FINAL);
    expect(await seedWith(clientWith([one]))).toEqual(seeds[1]);
    expect(await seedWith(clientWith([one, opening(name, noteAt(1), RIVAL, FINAL)]))).toEqual(seeds[2]);
  },
);

test("a payment keeps its seed while its note is its payer's own, not in a final block, or shown as no one's", async () => {
  expect(await seedWith(clientWith([]))).toEqual(first);
  for (const name of ["Transferred", "Paid"] as const) {
    expect(await seedWith(clientWith([opening(name, noteAt(0), alice, FINAL)]))).toEqual(first);
    expect(await seedWith(clientWith([opening(name, noteAt(0), RIVAL, FINAL + 1n)]))).toEqual(first);
  }
  expect(await seedWith(clientWith([], [noteAt(0)]))).toEqual(first);
});

test("a payment that was made with its second seed stays there", async () => {
  const logs = [opening("Transferred", noteAt(0), RIVAL, FINAL), opening("Transferred", noteAt(1), alice, FINAL)];
  expect(await seedWith(clientWith(logs))).toEqual(seeds[1]);
});

test("a record goes on with the note of the new seed, and never back to an earlier one", async () => {
  const pending = { id: "order-1", kind: "transfer", note: noteAt(0), documents: [{ deadline: 1 }] } as PendingPayment;
  const context = clientWith([opening("Transferred", noteAt(0), RIVAL, FINAL)]);
  const { seed, options } = await undecryptedSeed(context, payment, { pending });
  expect(seed).toEqual(seeds[1]);
  expect(options.pending).toEqual({ ...pending, note: noteAt(1) });
  // A node that is behind the one that the record was made with.
  const behind = await undecryptedSeed(clientWith([]), payment, { pending: { ...pending, note: noteAt(1) } });
  expect(behind.seed).toEqual(seeds[1]);
  // The record of another payment stays as it is, and is refused by the attempt.
  const other = { ...pending, note: `0x${"0".repeat(63)}1` as const };
  expect((await undecryptedSeed(context, payment, { pending: other })).options.pending).toEqual(other);
});

test("nothing is sent when all notes of a payment were opened by others, or its only one", async () => {
  const logs = seeds.map((_, at) => opening("Transferred", noteAt(at), RIVAL, FINAL));
  expect(logs).toHaveLength(MOST_SEEDS);
  await expect(seedWith(clientWith(logs))).rejects.toMatchObject({ code: "unavailable" });
  const fixed = undecryptedSeed(clientWith(logs), { ...payment, fixed: true }, { idempotencyKey: "order-1" });
  await expect(fixed).rejects.toBeInstanceOf(NoteTaken);
});
