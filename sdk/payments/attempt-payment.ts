import { isAddressEqual } from "viem";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Party } from "../account/party";
import type { TransferWithCopies } from "../api/api-types";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import type { AttemptGoal } from "./attempts/attempt";
import { attemptClientSigned } from "./attempts/attempt-client-signed";
import type { AttemptOptions } from "./attempts/attempt-options";
import type { Intent } from "./attempts/check-before-proving";
import type { EarlierPayment } from "./attempts/earlier-attempt";
import type { Posted } from "./attempts/posted";
import { seededPayment, undecryptedSeed } from "./attempts/undecrypted-seed";
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
  /** Whether its note never changes (`SeededPayment`). */
  fixed?: boolean | undefined;
  /** Compares the payment with earlier ones on chain (`ClientSignedAttempt`). */
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

/** Returns what identifies a payment on chain, and the seed and options with which it is attempted now. */
async function nameNow<T extends AttemptOptions>(context: Context, scope: Scope, plan: PlannedPayment, options: T) {
  const { payer, asset, payment, seed: first, held, fixed } = plan;
  const { to, units, kind } = payment;
  const names: AttemptGoal["names"] = { to: to.address, ...(held !== undefined && { held }) };
  // No one else can use up a payment id of this account.
  if (kind !== "transfer") return { names: { ...names, payment_id: paymentIdOf(first, scope) }, seed: first, options };
  const marks = { payer: payer.address, asset: asset.address, seed: first };
  const seeded = { ...seededPayment(scope, marks, { to: to.address, units }), fixed };
  const { seed, options: now } = await undecryptedSeed(context, seeded, options);
  return { names: { ...names, note: seeded.notesOf(seed)[0]?.note }, seed, options: now };
}

function actOf({ payment, held }: PlannedPayment): Intent["act"] {
  if (held) return "approval";
  return payment.kind === "release" && !payment.counted ? "withdrawal" : "payment";
}

/**
 * Pays exactly once, however often the payment has to be prepared (`attemptClientSigned`).
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
  post: (document: SinglePayment, lockToken: string | undefined) => Promise<T>,
  find: (listed: TransferWithCopies | null) => T | null,
): Promise<Posted<T>> {
  const { id, payer, asset, payment, seed: first, tag, byKey, compare } = plan;
  const { names, seed, options: now } = await nameNow(context, await context.scope(), plan, options);
  const marks = { seed: first, tag };
  const goal: AttemptGoal = { id, kind: payment.kind, party: payer, asset, ...marks, names, fits: isSame(plan) };
  return attemptClientSigned<SinglePayment, T>(
    context,
    {
      goal,
      // A payment id does not depend on the address.
      isPinned: payment.kind !== "transfer" || payment.to.unpinned === undefined,
      intents: [{ act: actOf(plan), payer, asset, payment, byKey }],
      compare,
      prepare: (deadline, over) => preparePayment(context, payer, payment, { seed, tag, deadline, over }),
    },
    now,
    post,
    ([listed = null]) => find(listed),
  );
}
