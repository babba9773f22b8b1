import type { BlindPlan, LockWish } from "./home";

/**
 * The lock of a balance while one payment is built, if other clients pay from it too. Without it each of them would build
 * on what another one is about to replace, and one that is always slower would never pay.
 */
export class BuildLock {
  /** Sent with the payment, which ends the lock. */
  token: string | undefined;

  /**
   * @param ask asks for a plan
   * @param isWanted whether others pay from the balance
   */
  constructor(
    private readonly ask: (wish: LockWish) => Promise<BlindPlan>,
    private readonly isWanted: () => boolean,
  ) {}

  /** Asks for a plan, in its turn if others pay, too. */
  async plan(): Promise<BlindPlan> {
    const ended = this.token === undefined ? {} : { lock_token: this.token };
    const plan = await this.ask({ ...ended, ...(this.isWanted() && { lock: true }) });
    this.token = plan.lock_token;
    return plan;
  }

  /** Ends the lock of a payment that was not sent or not made. No one waits for that: it ends by itself soon. */
  end(): void {
    if (this.token !== undefined) void this.ask({ lock_token: this.token }).catch(() => {});
    this.token = undefined;
  }
}
