import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { PendingPayment } from "../attempts/pending-payment";
import { isLost } from "../attempts/post-again";
import type { Posted } from "../attempts/posted";
import type { SendCall } from "../send";

/** A payment as its caller asks for it. */
export interface AskedPayment {
  context: Context;
  input: SendCall & { idempotencyKey: string };
}

/** A payment that waits for its turn at its balance, and that an earlier turn may make. */
export class WaitingPayment {
  /** Once an earlier turn has taken it: what came of it, undefined if it still has to be made. */
  made: Promise<Posted<Transfer> | undefined> | undefined;
  /** What an earlier turn has sent for it and did not see accepted. */
  left: PendingPayment | undefined;
  /** Whether that turn did not learn what came of it. */
  isLost = false;
  private end: (made: Posted<Transfer> | undefined) => void = () => {};

  constructor(readonly asked: AskedPayment) {}

  /** A turn takes it. */
  take(): void {
    this.made = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** A document with the payment has left, and the response is an error. */
  leave(pending: PendingPayment, error: unknown): void {
    this.isLost ||= isLost(error);
    this.left = { ...pending, documents: [...(this.left?.documents ?? []), ...pending.documents] };
  }

  /** The turn that has taken it is over, and has made it or not. */
  over(made?: Posted<Transfer>): void {
    this.end(made);
  }
}
