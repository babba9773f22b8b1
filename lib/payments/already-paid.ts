import { ApiError, type ErrorCode, isCopyOf } from "@/lib/base/errors";

/**
 * How the notes of a payment came to exist: its payer has made all of them (`paid`), or some of these are `pending`, or
 * at least one is not its payer's (`taken`).
 */
export type HowMade = "paid" | "pending" | "taken";

const REFUSED: Record<HowMade, { code: ErrorCode; message: string }> = {
  paid: { code: "transaction_not_found", message: "This payment was made before. Look at the agent's transfers." },
  pending: { code: "transaction_not_found", message: "This payment is on its way. Look at its transfer." },
  taken: {
    code: "invalid_request",
    message:
      "Another payment has made this note, and the ledger takes a note once. Nothing was paid. Make a new payment.",
  },
};

/** The error for a payment that is fixed in advance and whose notes exist already, whatever its row says. */
export class AlreadyPaid extends ApiError {
  readonly how: HowMade;

  static override readonly copyOf: string = "AlreadyPaid";
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isCopyOf("AlreadyPaid", value);
  }

  constructor(how: HowMade) {
    super(REFUSED[how].code, REFUSED[how].message);
    this.how = how;
  }
}
