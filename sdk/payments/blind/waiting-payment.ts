import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { PendingPayment } from "../attempts/pending-payment";
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
  /** A document that an earlier turn has sent for it without learning what came of it. */
  lost: PendingPayment | undefined;
  private end: (made: Posted<Transfer> | undefined) => void = () => {};

  constructor(readonly asked: AskedPayment) {}

  /** A turn takes it. */
  take(): void {
    this.made = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** The turn that has taken it is over, and has made it or not. */
  over(made?: Posted<Transfer>): void {
    this.end(made);
  }
}
