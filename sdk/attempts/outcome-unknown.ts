import { detailsOf, HalcyonError } from "../api/errors";
import type { Transfer } from "../api/resources/transfers";
import { callersKey, lastDeadline, type PendingPayment } from "./pending-payment";

/** The name of each kind in a message. */
const NAMES = {
  transfer: "payment",
  release: "public payment",
  fund: "move between your own balances",
  batch: "batch of payments",
  allocation: "allocation",
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
      "Part of this was made available before it stopped. Do not make it again as a new one: repeat it with its " +
      `idempotency key ${key}, which continues and adds no more than you asked for.${why}`
    );
  }
  return (
    `It is not known yet whether this ${name} was made.${window} Do not make it again as a new one. Look again with ` +
    `\`transfers.check\`, or repeat it with its idempotency key ${key}, which never pays twice.${why}`
  );
}

/**
 * A signed payment, allocation or deposit was sent, and the chain does not show its outcome yet. It is neither a success
 * nor a failure. Keep `pending` (plain JSON without an amount) and look again with `transfers.check`, or repeat the call
 * with the same idempotency key: it continues this very payment.
 *
 * @example
 * try {
 *   await halcyon.transfers.create({ to: "@bob", amount: "25", prepared: true }, { idempotencyKey: "order-7" });
 * } catch (error) {
 *   if (error instanceof OutcomeUnknown) await orders.keep(JSON.stringify(error.pending));
 * }
 */
export class OutcomeUnknown extends HalcyonError {
  override readonly name = "OutcomeUnknown";
  /** As the service accepted it, where it did. */
  declare readonly transfer?: Transfer;

  /**
   * `part`: of several transactions some were made, `pending` the last of them, and the others have not happened. Left out:
   * it is `pending` itself that is open.
   */
  declare readonly made?: "part";

  /**
   * @param cause the service's last response, or why there was none. Only the chain shows what happened.
   * @param made `part`: `pending` has settled, and what was to follow it has not happened
   */
  constructor(
    /** What is pending: all that looking again takes. */
    readonly pending: PendingPayment,
    cause?: HalcyonError,
    made?: "part",
  ) {
    super("outcome_unknown", messageOf(pending, cause, made === "part"), { cause, ...(cause && detailsOf(cause)) });
    if (made) Object.defineProperty(this, "made", { value: made, enumerable: true });
  }

  /** The same, with the transfer as the service has it. */
  of(transfer: Transfer): OutcomeUnknown {
    return Object.defineProperty(this, "transfer", { value: transfer, enumerable: true });
  }
}

/**
 * The response to a server-signed payment, or to an approval with an API key, was lost: the payment may have been made.
 * Repeat the call with `idempotencyKey`: it never pays twice, and returns the payment.
 */
export class ResponseLost extends HalcyonError {
  override readonly name = "ResponseLost";
  constructor(
    /** The key of the call: the one you gave, or the one that was created for it. */
    readonly idempotencyKey: string,
    cause: HalcyonError,
  ) {
    super(
      "outcome_unknown",
      `${cause.message} It is not known yet whether the payment was made: repeat the call with the idempotency key ` +
        `${idempotencyKey}, which never pays twice. Do not send it as a new one.`,
      { cause, ...detailsOf(cause) },
    );
  }
}

/** No block included it before its deadline, and none can any more: no money moved, so a new payment pays once. */
export class NothingMoved extends HalcyonError {
  override readonly name = "NothingMoved";
  constructor(
    readonly pending: PendingPayment,
    cause?: unknown,
  ) {
    super(
      "unavailable",
      `This ${NAMES[pending.kind]} did not reach the chain before its deadline and no longer can: nothing moved. Make it again.`,
      { cause },
    );
  }
}
