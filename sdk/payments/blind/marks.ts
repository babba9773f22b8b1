import type { Address, Hex } from "viem";
import { epochPaymentSeed } from "@/lib/ledger/crypto/epoch-seed";
import type { Epoch } from "@/lib/ledger/crypto/epochs";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { MOST_SEEDS } from "@/lib/ledger/crypto/payment-seed";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { CopyEpoch } from "@/lib/ledger/encrypted/payer-copy";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { isOpenedByOther } from "../attempts/undecrypted-seed";

/** A request's payment with one of its seeds, as the chain identifies it. */
export interface Marked {
  seed: Uint8Array;
  /** What the payer's copy has instead of the seed. Of a payment that is approved it has the seed. */
  epoch?: CopyEpoch;
  name: { note: Hex } | { payment_id: Hex };
}

/** Returns the seed of a payment that awaited approval, or the name under which it has paid. */
export async function approvedMarks(
  context: Context,
  { nameOf, ...place }: Places,
  seed: Uint8Array,
): Promise<Marked | { paid: Marked["name"] }> {
  const name = nameOf(seed);
  return (await isUsed(context, place, name)) ? { paid: name } : { seed, name };
}

/** Reports whether the ledger has a payment under a name. */
async function isUsed(
  context: Context,
  { payer, to, asset }: Omit<Places, "nameOf">,
  name: Marked["name"],
): Promise<boolean> {
  const chain = await context.chain();
  if ("note" in name) return (await chain.noteStatus(to, asset.address, hexToCommitment(name.note))) !== 0;
  return chain.paymentIdUsed(payer, name.payment_id);
}

/** Where a payment is known on the ledger. */
interface Places {
  nameOf(seed: Uint8Array): Marked["name"];
  payer: Address;
  to: Address;
  asset: { address: Address };
}

/** A request, and where its payment is known on the ledger. */
interface AskedMarks extends Places {
  scope: Scope;
  tag: Uint8Array;
}

/** One of a request's seeds, and whether the ledger has a payment with it. */
interface MarkRead extends Pick<Marked, "seed" | "name"> {
  used: boolean;
}

async function readMark(
  context: Context,
  { nameOf, scope, tag, ...place }: AskedMarks,
  epoch: Epoch,
  opened: number,
): Promise<MarkRead> {
  const seed = epochPaymentSeed(epoch, scope, tag, opened);
  const name = nameOf(seed);
  return { seed, name, used: await isUsed(context, place, name) };
}

/**
 * Starts to read whether the ledger has a payment with the first seed of each epoch, beside what else a payment reads.
 * It may be used while no new epoch begins: then a payment that enters the ledger meanwhile has the same note or id as
 * the one that is built, and the ledger takes only one of them.
 */
export function marksAhead(
  context: Context,
  asked: AskedMarks,
  epochs: readonly (Epoch | undefined)[],
): ReadonlyMap<Epoch, Promise<MarkRead>> {
  const ahead = new Map<Epoch, Promise<MarkRead>>();
  for (const epoch of epochs) {
    if (!epoch) continue;
    const reading = readMark(context, asked, epoch, 0);
    // What refuses the payment first may be another read.
    reading.catch(() => {});
    ahead.set(epoch, reading);
  }
  return ahead;
}

/**
 * Returns the seed of the last epoch, with which the request pays now, or the name under which it has paid. An earlier
 * try may have had the seed of an epoch before.
 */
export async function unusedMarks(
  context: Context,
  asked: AskedMarks & {
    epochs: readonly (Epoch | undefined)[];
    /** What `marksAhead` reads. */
    ahead?: ReadonlyMap<Epoch, Promise<MarkRead>> | undefined;
  },
): Promise<Marked | { paid: Marked["name"] }> {
  const { epochs, ahead, payer, to, asset } = asked;
  let unused: Marked | undefined;
  const markedIn = (epoch: Epoch, opened: number) => readMark(context, asked, epoch, opened);
  const firsts = await Promise.all(epochs.map((epoch) => epoch && (ahead?.get(epoch) ?? markedIn(epoch, 0))));
  for (const [at, epoch] of epochs.entries()) {
    if (!epoch) continue;
    unused = undefined;
    for (let opened = 0; opened < MOST_SEEDS && !unused; opened++) {
      const { seed, name, used } = (opened === 0 && firsts[at]) || (await markedIn(epoch, opened));
      if (!used) unused = { seed, name, epoch: { seed: epoch.seed, opened } };
      else if (!("note" in name)) return { paid: name };
      else if (!(await isOpenedByOther(context, { payer, asset: asset.address }, [{ to, note: name.note }]))) {
        return { paid: name };
      }
    }
  }
  if (unused) return unused;
  throw new HalcyonError("unavailable", "Someone opens the notes of this payment each time, so nothing is sent.");
}
