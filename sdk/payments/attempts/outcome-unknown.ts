import { errorDetails, HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import { callersKey, lastDeadline, type PendingPayment } from "./pending-payment";

/** What messages call each kind. */
const NAMES = {
  transfer: "payment",
  release: "public payment",
  fund: "move between your own balances",
  batch: "batch of payments",
  make_available: "change of the available balance",
  deposit: "deposit",
} as const satisfies Record<PendingPayment["kind"], string>;

function messageOf(pending: PendingPayment, cause: HalcyonError | undefined, isPart: boolean): string {
  const name = NAMES[pending.kind];
  const until = lastDeadline(pending);
  const window = until ? ` It can still happen until ${until.toISOString().replace(/\.\d+Z$/, "Z")}.` : "";
  const why = cause ? ` ${isPart ? "Why it stopped" : "The service's last response"}: ${cause.message}` : "";
  const key = callersKey(pending.id);
  if (isPart) {
    return (
      "Part of this was made available before it stopped. Repeat it with its idempotency key " +
      `${key}, which adds no more than you asked for.${why}`
    );
  }
  return (
    `It is not known yet whether this ${name} was made.${window} Do not make it again as a new one. Look again with ` +
    `\`transfers.check\`, or repeat it with its idempotency key ${key}, which never pays twice.${why}`
  );
}

/**
 * A signed payment, move to the available balance or deposit was sent, and the chain does not show its outcome yet.
 * This is neither a success nor a failure. Keep `pending` (plain JSON without an amount) and look it up later with
 * `transfers.check`, or repeat the call with the same idempotency key, which continues this same payment.
 *
 * @example
 * try {
 *   await halcyon.transfers.create({ to: "@bob", amount: "25", clientSigned: true }, { idempotencyKey: "order-7" });
 * } catch (error) {
 *   if (error instanceof OutcomeUnknown) await orders.keep(JSON.stringify(error.pending));
 * }
 */
export class OutcomeUnknown extends HalcyonError {
  override readonly name = "OutcomeUnknown";
  /** The transfer as the service accepted it, if it did. */
  declare readonly transfer?: Transfer;

  /**
   * `part`: some of several transactions were made, the last of which is `pending`; the others have not happened. Not
   * set when the outcome of `pending` itself is unknown.
   */
  declare readonly made?: "part";

  /**
   * @param cause the service's last response, or why there was none. Only the chain shows what happened.
   * @param made `part`: `pending` has settled, and the transactions after it have not happened
   */
  constructor(
    /** The pending payment: everything needed to look it up later. */
    readonly pending: PendingPayment,
    cause?: HalcyonError,
    made?: "part",
  ) {
    super("outcome_unknown", messageOf(pending, cause, made === "part"), { cause, ...(cause && errorDetails(cause)) });
    if (made) Object.defineProperty(this, "made", { value: made, enumerable: true });
  }

  /** Adds the service's transfer to this error. */
  of(transfer: Transfer): OutcomeUnknown {
    return Object.defineProperty(this, "transfer", { value: transfer, enumerable: true });
  }
}

/**
 * The response to what an API key asks for was lost: a payment, an approval, a payout or a new schedule. It may have
 * been made. Repeat the call with `idempotencyKey`: it never pays twice, and returns what was made.
 */
export class ResponseLost extends HalcyonError {
  override readonly name = "ResponseLost";
  constructor(
    /** The key of the call: the one you gave, or the one created for it. */
    readonly idempotencyKey: string,
    cause: HalcyonError,
  ) {
    super(
      "outcome_unknown",
      `${cause.message} It is not known yet whether this call paid: repeat it with the idempotency key ${idempotencyKey}, which never pays twice.`,
      { cause, ...errorDetails(cause) },
    );
  }
}

/**
 * No block included the payment before its deadline, and none can any more, or the person declined it in their wallet.
 * No money moved, so a new payment pays only once.
 */
export class NothingMoved extends HalcyonError {
  override readonly name = "NothingMoved";
  constructor(
    readonly pending: PendingPayment,
    cause?: HalcyonError,
  ) {
    super(
      "unavailable",
      // The person's wallet declined it.
      cause?.message ??
        `This ${NAMES[pending.kind]} did not reach the chain before its deadline and no longer can: nothing moved. Make it again.`,
      { cause },
    );
  }
}
