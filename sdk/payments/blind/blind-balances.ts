import type { Address, Hex } from "viem";
import type { Call } from "../../api/call";
import type { Context } from "../../context/context";
import type { PlanInForce } from "./policy-terms";

/** More recipients are forgotten, and asked for again. */
const MOST_RECIPIENTS = 1_000;
/** How long plans are asked for each time once another client has paid from a balance: a guess costs a proof. */
const CONTESTED_MS = 30_000;

/**
 * What the calls of one client share of the balances that they pay from with a home key, by asset: whose turn it is, and
 * what the last payment has left. It only saves a request: what does not fit any more is asked for again.
 */
export class BlindBalances {
  private readonly lines = new Map<string, Promise<unknown>>();
  private readonly left = new Map<string, PlanInForce>();
  private readonly contested = new Map<string, number>();
  private readonly recipients = new Map<string, Address>();

  /** Works on a balance after all work that came before: each builds on what the one before leaves. */
  async inLine<T>(call: Call, asset: string, work: () => Promise<T>): Promise<T> {
    const before = this.lines.get(asset) ?? Promise.resolve();
    const turn: { end(): void } = { end: () => {} };
    const mine = new Promise<void>((resolve) => {
      turn.end = resolve;
    });
    const line = before.then(() => mine);
    this.lines.set(asset, line);
    try {
      await call.whileWanted(before);
      return await work();
    } finally {
      turn.end();
      if (this.lines.get(asset) === line) this.lines.delete(asset);
    }
  }

  /** Returns what a payment can be built from without a plan, if this machine knows it. Only once. */
  take(asset: string, to: string): PlanInForce | undefined {
    const planned = this.left.get(asset);
    const recipient = to.startsWith("0x") ? (to as Address) : this.recipients.get(to);
    this.left.delete(asset);
    return planned && recipient && { ...planned, plan: { ...planned.plan, recipient } };
  }

  /** Keeps what a payment that the service has accepted leaves of a balance. */
  keep(asset: string, to: string, planned: PlanInForce, { commitment, state }: Record<"commitment" | "state", Hex>) {
    // Under a policy the service says with each plan which one it is.
    if (planned.policy || (this.contested.get(asset) ?? 0) > Date.now()) return;
    if (this.recipients.size >= MOST_RECIPIENTS) this.recipients.clear();
    this.recipients.set(to, planned.plan.recipient);
    this.left.set(asset, { ...planned, plan: { ...planned.plan, commitment, state } });
  }

  /** Notes that another client pays from a balance, too. */
  contest(asset: string): void {
    this.contested.set(asset, Date.now() + CONTESTED_MS);
  }

  /** Forgets what is left of a balance. */
  forget(asset: string): void {
    this.left.delete(asset);
  }
}

/** Returns what the calls of a client share of its balances. */
export function blindBalancesOf(context: Context): Promise<BlindBalances> {
  return context.once("blind balances", async () => new BlindBalances());
}
