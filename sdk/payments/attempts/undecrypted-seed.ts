import { type Address, type Hex, isAddressEqual } from "viem";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { seedsOf } from "@/lib/ledger/crypto/payment-seed";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { HalcyonError } from "../../api/errors";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import type { OwnAttemptOptions } from "./attempt-options";
import type { PendingPayment } from "./pending-payment";

/** A note of a payment, and whom it pays. */
export interface NamedNote {
  to: Address;
  note: Hex;
}

/** A payment whose notes follow from its seed. */
export interface SeededPayment {
  payer: Address;
  asset: Address;
  /** The first of its seeds (`seedsOf`). */
  seed: Uint8Array;
  /** Its notes with a seed: one, or in a batch one for each payment. */
  notesOf(seed: Uint8Array): NamedNote[];
  /** Whether it has only the first seed, because others too make its note and know it by that. */
  fixed?: boolean | undefined;
}

/** Returns a payment to one recipient as `undecryptedSeed` takes it. Units are the ledger's. */
export function seededPayment(
  scope: Scope,
  { payer, asset, seed }: Omit<SeededPayment, "notesOf">,
  { to, units }: { to: Address; units: bigint },
): SeededPayment {
  const notesOf = (of: Uint8Array) => [{ to, note: commitmentToHex(noteOf(of, scope, to, asset, units).commitment) }];
  return { payer, asset, seed, notesOf };
}

/** Someone else has opened a payment's note, and the payment has no other. */
export class NoteTaken extends HalcyonError {
  override readonly name = "NoteTaken";
  constructor() {
    super("invalid_request", "Another account has made this payment's note, so this payment can never be made.");
  }
}

/**
 * Returns the seed with which a payment is made now: the first of its seeds none of whose notes someone else has
 * opened. What was signed with an earlier seed contains a note that a final block shows as another payer's. The ledger
 * takes a note once, so that can never settle, and at most one of all documents of the payment does. A note that is
 * used and not shown as another's, or not in a final block, changes nothing.
 *
 * @param options a record of an earlier seed is returned with the notes of the new one: it keeps its documents
 * @throws NoteTaken for a payment with one seed; HalcyonError `unavailable` when someone has opened notes of all its
 * seeds
 */
export async function undecryptedSeed<T extends OwnAttemptOptions>(
  context: Context,
  payment: SeededPayment,
  options: T,
): Promise<{ seed: Uint8Array; options: T }> {
  const { seed: first, notesOf, fixed } = payment;
  const { idempotencyKey, pending } = options;
  // Under a key that nothing else knows, nothing was sent yet.
  if (idempotencyKey === undefined && !pending) return { seed: first, options };
  const seeds = seedsOf(first, await context.scope());
  // The record may be ahead of what the node shows now.
  const recorded = pending ? seeds.findIndex((seed) => isRecordOf(pending, notesOf(seed))) : -1;
  for (const [at, seed] of seeds.entries()) {
    if (at < recorded) continue;
    const notes = notesOf(seed);
    if (await isOpenedByOther(context, payment, notes)) {
      if (fixed) throw new NoteTaken();
      continue;
    }
    if (!pending || recorded === -1 || recorded === at) return { seed, options };
    return { seed, options: { ...options, pending: { ...pending, ...namesOf(pending, notes) } } };
  }
  throw new HalcyonError(
    "unavailable",
    `Someone opens every note of this payment, ${seeds.length} so far, so nothing was paid. Its recipient, or who forwards your payments, takes part in that.`,
  );
}

function namesOf(pending: PendingPayment, notes: readonly NamedNote[]): Partial<PendingPayment> {
  const named = notes.map(({ to, note }) => ({ to: to.toLowerCase() as Address, note }));
  return pending.payments ? { payments: named } : { note: named[0]?.note };
}

const isRecordOf = (pending: PendingPayment, notes: readonly NamedNote[]) =>
  Object.entries(namesOf(pending, notes)).every(
    ([name, value]) => JSON.stringify(pending[name as keyof PendingPayment]) === JSON.stringify(value),
  );

/** Reports whether a final block shows that another account has opened one of the notes. */
export async function isOpenedByOther(
  context: Context,
  { payer, asset }: Pick<SeededPayment, "payer" | "asset">,
  notes: readonly NamedNote[],
): Promise<boolean> {
  const [chain, { finality }] = await Promise.all([context.chain(), context.info()]);
  const statuses = await Promise.all(
    notes.map(({ to, note }) => chain.noteStatus(to, asset, hexToCommitment(note), finality)),
  );
  const used = notes.filter((_, at) => statuses[at] !== 0);
  if (used.length === 0) return false;
  const [final, { enrolledBlock }] = await Promise.all([
    chain.client.getBlock({ blockTag: finality }),
    chain.account(payer),
  ]);
  for (const note of used) {
    const events = await moneyEvents(chain.client, chain.ledger, note.to, enrolledBlock, final.number);
    if (events.some((event) => opens(event, asset, note) && !isAddressEqual(event.args.account, payer))) return true;
  }
  return false;
}

type Opening = Extract<MoneyEvent, { eventName: "Transferred" | "Paid" | "MadeAvailable" }>;

/** Reports whether an event opened a note: a payment to its owner, or the owner's own move to the available balance. */
function opens(event: MoneyEvent, asset: Address, { to, note }: NamedNote): event is Opening {
  if (!isAddressEqual(event.args.asset, asset)) return false;
  const commitment = hexToCommitment(note);
  switch (event.eventName) {
    case "Transferred":
    case "Paid":
      return isAddressEqual(event.args.to, to) && event.args.note === commitment;
    case "MadeAvailable":
      return isAddressEqual(event.args.account, to) && event.args.changeNote === commitment;
    default:
      return false;
  }
}
