import { HalcyonError } from "../api/errors";
import { lastDeadline, type PendingPayment } from "./pending-payment";

/** What the payment is called in a sentence. */
const NAMES = {
  transfer: "payment",
  release: "public payment",
  fund: "move between your own balances",
  allocation: "allocation",
  deposit: "deposit",
} as const satisfies Record<PendingPayment["kind"], string>;

function messageOf(pending: PendingPayment, cause: HalcyonError | undefined): string {
  const name = NAMES[pending.kind];
  const until = lastDeadline(pending);
  const window = until ? ` It can still happen until ${until.toISOString().replace(/\.\d+Z$/, "Z")}.` : "";
  const why = cause ? ` The service's last word: ${cause.message}` : "";
  return (
    `Nobody knows yet whether this ${name} was made.${window} Do not make it again as a new one. Look again with ` +
    `\`checkPayment\`, or repeat it under its idempotency key ${pending.id}, which never pays twice.${why}`
  );
}

/**
 * A signed payment, allocation or deposit has left this machine, and the chain does not show yet what became of it. It is
 * neither a success nor a failure. Keep `pending` (plain JSON without an amount) and look again with `checkPayment`, or repeat
 * the call with the same idempotency key: it continues this very payment.
 *
 * @example
 * try {
 *   await halcyon.send({ to: "@bob", amount: "25", prepared: true, idempotencyKey: "order-7" });
 * } catch (error) {
 *   if (error instanceof OutcomeUnknown) await orders.keep(JSON.stringify(error.pending));
 * }
 */
export class OutcomeUnknown extends HalcyonError {
  override readonly name = "OutcomeUnknown";

  /** @param cause what the service answered last, or why it did not: its word alone, which decides nothing */
  constructor(
    /** What is pending: all that looking again takes. */
    readonly pending: PendingPayment,
    cause?: HalcyonError,
  ) {
    super(cause?.code ?? "unavailable", messageOf(pending, cause), { cause });
  }
}

/**
 * The service did not answer a plain payment, which it makes itself: it may have been made. The same call with this idempotency
 * key never pays twice and tells.
 */
export class ResponseLost extends HalcyonError {
  override readonly name = "ResponseLost";
  constructor(
    readonly idempotencyKey: string,
    cause: HalcyonError,
  ) {
    super(
      cause.code,
      `${cause.message} Nobody knows yet whether the payment was made: repeat it with the idempotency key ${idempotencyKey}, ` +
        "which never pays twice. Do not send it as a new one.",
      { cause },
    );
  }
}

/** No block took a document before its deadline, nor will one: nothing has moved, and paying again pays once. */
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
