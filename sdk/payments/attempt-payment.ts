import { isAddressEqual } from "viem";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { wordToHex } from "@/lib/ledger/crypto/field";
import { noteSaltOf } from "@/lib/ledger/crypto/seed";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import type { Party } from "../account/party";
import type { Asset } from "../api/network-info";
import { Attempt } from "../attempts/attempt";
import type { AttemptOptions } from "../attempts/attempt-options";
import { listedTransfer, type Settled } from "../attempts/check-payment";
import { hasLeftNothing, isLost, postAgain } from "../attempts/post-again";
import type { Posted } from "../attempts/posted";
import { type Intent, refuseEarly } from "../attempts/refuse-early";
import type { Context } from "../context/context";
import { underLease } from "../funds/under-lease";
import { type PaymentInput, preparePayment } from "./payment";

/** A payment and its seed, both fixed before the first attempt. */
export interface PlannedPayment {
  id: string;
  payer: Party;
  asset: Asset;
  payment: PaymentInput;
  seed: Uint8Array;
  /** The held payment that is being approved. */
  held?: string;
  /** The API key sends it, not the session. */
  byKey?: boolean;
}

const SETTLE_LOOKS = 8;

function isSame({ payer, payment }: PlannedPayment, note: string | undefined): (event: MoneyEvent) => boolean {
  return (event) => {
    switch (event.eventName) {
      case "Transferred":
        return wordToHex(event.args.note) === note;
      case "Released":
        return isAddressEqual(event.args.to, payment.to.address) && event.args.amount === payment.units;
      case "Funded":
        return isAddressEqual(event.args.from, payer.address) && isAddressEqual(event.args.to, payment.to.address);
      default:
        return false;
    }
  };
}

function actOf({ payment, held }: PlannedPayment): Intent["act"] {
  if (held) return "approval";
  return payment.kind === "release" && !payment.counted ? "withdrawal" : "payment";
}

/**
 * Pays once, however often it has to be prepared: each document of a transfer makes the same note, which the ledger takes
 * once; one of a release or a `fund` is prepared again only over the word that the client's own chain shows. What the
 * service returns decides nothing: a refusal, silence or 503 is looked up on the chain.
 *
 * @param post sends one document to the service
 * @param find what the service lists it as, where it does
 * @throws OutcomeUnknown once a document has left and the chain does not show it; before that, what the first attempt throws
 */
export async function attemptPayment<T>(
  context: Context,
  plan: PlannedPayment,
  options: AttemptOptions,
  post: (prepared: PreparedPayment, leaseToken: string | undefined) => Promise<T>,
  find: (transfer: Awaited<ReturnType<typeof listedTransfer>>) => T | null,
): Promise<Posted<T>> {
  const { id, payer, asset, payment, seed, held, byKey } = plan;
  const scope = await context.scope();
  const owner = { scope, account: payment.to.address, asset: asset.address };
  const isTransfer = payment.kind === "transfer";
  const opening = { amount: payment.units, salt: noteSaltOf(seed, owner, payment.units) };
  const note = isTransfer ? wordToHex(noteCommitment(opening)) : undefined;
  const goal = { id, kind: payment.kind, party: payer, asset, seed, to: payment.to.address, note, held };
  const attempt = await Attempt.begin(context, { ...goal, fits: isSame(plan, note) }, options);
  const done = (response: T | null, seen: Settled | null) => ({ response, seen, pending: attempt.pending });
  const settledNow = async (seen: Settled) => done(find(await listedTransfer(context, attempt.pending)), seen);

  async function once(leaseToken: string | undefined): Promise<Posted<T>> {
    let over: bigint | undefined;
    if (attempt.left) {
      // Another process may have been given another address for the handle: then its note is another one, and only the word
      // keeps both from settling.
      const byNote = isTransfer && payment.to.unpinned === undefined;
      const ready = byNote ? await attempt.look() : await attempt.wordToBuildOn();
      if (typeof ready === "bigint") over = ready;
      else if (ready) return settledNow(ready);
    }
    const { deadline } = attempt;
    const [prepared] = await Promise.all([
      preparePayment(context, payer, payment, { seed, deadline, over }),
      // While the proof is made.
      attempt.sent || refuseEarly(context, { act: actOf(plan), payer, asset, payment, byKey }, deadline),
    ]);
    await attempt.leaving({ old_word: prepared.old_budget, new_word: prepared.new_budget });
    try {
      return done(await postAgain(context.call, () => post(prepared, leaseToken)), null);
    } catch (error) {
      if (hasLeftNothing(error)) attempt.recall();
      const seen = isLost(error) ? await attempt.watch(SETTLE_LOOKS) : await attempt.look();
      if (seen) return settledNow(seen);
      const listed = find(await listedTransfer(context, attempt.pending));
      if (listed) return done(listed, null);
      throw error;
    }
  }
  try {
    return await underLease(context, payer, asset, once);
  } catch (error) {
    // The last look: it may have been mined while the last response was on its way.
    const seen = attempt.left ? await attempt.look().catch(() => null) : null;
    if (seen) return settledNow(seen);
    const listed = attempt.sent ? find(await listedTransfer(context, attempt.pending)) : null;
    if (listed) return done(listed, null);
    throw attempt.verdict(error);
  }
}
