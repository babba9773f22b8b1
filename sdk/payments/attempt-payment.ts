import { isAddressEqual } from "viem";
import { wordToHex } from "@/lib/ledger/crypto/field";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import type { Party } from "../account/party";
import type { SealedTransfer } from "../api/api-types";
import type { Asset } from "../api/network-info";
import type { AttemptGoal } from "../attempts/attempt";
import type { AttemptOptions } from "../attempts/attempt-options";
import { attemptPrepared } from "../attempts/attempt-prepared";
import type { EarlierPayment } from "../attempts/earlier-attempt";
import type { Posted } from "../attempts/posted";
import type { Intent } from "../attempts/refuse-early";
import type { Context } from "../context/context";
import { type PaymentInput, type PaymentMarks, preparePayment, type SinglePayment } from "./payment";

/** A payment and its marks, both fixed before the first attempt. */
export interface PlannedPayment extends PaymentMarks {
  id: string;
  payer: Party;
  asset: Asset;
  payment: PaymentInput;
  /** The payment awaiting approval that is being approved, if any. */
  held?: string;
  /** Whether the API key sends it, not the session. */
  byKey?: boolean;
  /** Compares the payment with earlier ones on chain (`PreparedAttempt`). */
  compare?: () => Promise<void>;
}

/** Reports whether an earlier payment under the same key pays the same amount to the same address. */
function isSame({ payer, payment: { to, units } }: PlannedPayment) {
  return ({ event, amount }: EarlierPayment): boolean => {
    switch (event.eventName) {
      case "Transferred":
      case "Released":
        return isAddressEqual(event.args.to, to.address) && amount === units;
      case "Funded": {
        const { from, to: receiver } = event.args;
        return isAddressEqual(from, payer.address) && isAddressEqual(receiver, to.address) && amount === units;
      }
      default:
        return false;
    }
  };
}

/** Returns what identifies a payment on chain. */
function namesOf(scope: Scope, { asset, payment, seed, held }: PlannedPayment): AttemptGoal["names"] {
  const { to, units, kind } = payment;
  const names = { to: to.address, ...(held !== undefined && { held }) };
  if (kind !== "transfer") return { ...names, payment_id: paymentIdOf(seed, scope) };
  return { ...names, note: wordToHex(noteOf(seed, scope, to.address, asset.address, units).word) };
}

function actOf({ payment, held }: PlannedPayment): Intent["act"] {
  if (held) return "approval";
  return payment.kind === "release" && !payment.counted ? "withdrawal" : "payment";
}

/**
 * Pays exactly once, however often the payment has to be prepared (`attemptPrepared`).
 *
 * @param post sends one document to the service
 * @param find returns the service's entry for the payment, if the service lists it
 * @throws OutcomeUnknown when a document was sent and the chain does not show it; before anything was sent, what the
 * first attempt throws
 */
export async function attemptPayment<T>(
  context: Context,
  plan: PlannedPayment,
  options: AttemptOptions,
  post: (prepared: SinglePayment, leaseToken: string | undefined) => Promise<T>,
  find: (listed: SealedTransfer | null) => T | null,
): Promise<Posted<T>> {
  const { id, payer, asset, payment, seed, tag, byKey, compare } = plan;
  const names = namesOf(await context.scope(), plan);
  const goal: AttemptGoal = { id, kind: payment.kind, party: payer, asset, seed, tag, names, fits: isSame(plan) };
  return attemptPrepared<SinglePayment, T>(
    context,
    {
      goal,
      // A payment id does not depend on the address.
      isPinned: payment.kind !== "transfer" || payment.to.unpinned === undefined,
      intents: [{ act: actOf(plan), payer, asset, payment, byKey }],
      compare,
      prepare: (deadline, over) => preparePayment(context, payer, payment, { seed, tag, deadline, over }),
    },
    options,
    post,
    ([listed = null]) => find(listed),
  );
}
