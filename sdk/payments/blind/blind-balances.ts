import type { Address, Hex } from "viem";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import type { Call } from "../../api/call";
import type { Context } from "../../context/context";
import type { PlanInForce } from "./policy-terms";
import { type AskedPayment, WaitingPayment } from "./waiting-payment";

/** More recipients are forgotten, and asked for again. */
const MOST_RECIPIENTS = 1_000;
/** How long plans are asked for each time once another client has paid from a balance: a guess costs a proof. */
const CONTESTED_MS = 30_000;

/** Fewer payments are made one by one, which is faster: the proof of a batch takes as long for four as for sixteen. */
const LEAST_TOGETHER = 4;

/** A balance as a document leaves it. */
type Left = Record<"commitment" | "state", Hex>;

/**
 * What the calls of one client share of the balances that they pay from with a home key, by asset: whose turn it is, and
 * what the last payment has left. It only saves a request: what does not fit any more is asked for again.
 */
export class BlindBalances {
  private readonly lines = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Set<WaitingPayment>>();
  private readonly left = new Map<string, PlanInForce>();
  private readonly contested = new Map<string, number>();
  private readonly recipients = new Map<string, Address>();
  /** Whether the service takes no payments together: the account's settings or its policy say so. */
  private refusesTogether = false;

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

  /** Adds a payment that may be made together with others of its balance, until its turn comes. */
  wait(asset: string, asked: AskedPayment): WaitingPayment {
    const payment = new WaitingPayment(asked);
    const waiting = this.waiting.get(asset) ?? new Set();
    this.waiting.set(asset, waiting.add(payment));
    return payment;
  }

  /** Takes a payment out of those that wait. */
  leave(asset: string, payment: WaitingPayment): void {
    this.waiting.get(asset)?.delete(payment);
  }

  /** When the turn of a payment comes: takes those that are made together with it, itself first; none if it goes alone. */
  gather(asset: string, payment: WaitingPayment): WaitingPayment[] {
    this.leave(asset, payment);
    if (payment.made || this.refusesTogether) return [];
    const gathered = [payment];
    const keys = new Set([payment.asked.input.idempotencyKey]);
    for (const one of this.waiting.get(asset) ?? []) {
      const { idempotencyKey } = one.asked.input;
      if (gathered.length === BATCH_PAYMENTS) break;
      // A request that is repeated gets what the first one made.
      if (keys.has(idempotencyKey)) continue;
      keys.add(idempotencyKey);
      gathered.push(one);
    }
    if (gathered.length < LEAST_TOGETHER) return [];
    for (const one of gathered) {
      this.leave(asset, one);
      one.take();
    }
    return gathered;
  }

  /** Returns the newest state of a balance that this machine knows, for payments to several recipients. Only once. */
  takeState(asset: string): PlanInForce | undefined {
    const planned = this.left.get(asset);
    this.left.delete(asset);
    return planned;
  }

  /** Returns the address that the service last gave for a recipient. */
  recipientOf(to: string): Address | undefined {
    return to.startsWith("0x") ? (to as Address) : this.recipients.get(to);
  }

  /** Returns what a payment can be built from without a plan, if this machine knows it. Only once. */
  take(asset: string, to: string): PlanInForce | undefined {
    const planned = this.takeState(asset);
    const recipient = this.recipientOf(to);
    return planned && recipient && { ...planned, plan: { ...planned.plan, recipient } };
  }

  /** Keeps what a payment that the service has accepted leaves of a balance. */
  keep(asset: string, to: string, planned: PlanInForce, { commitment, state }: Left): void {
    this.know(to, planned.plan.recipient);
    this.keepState(asset, planned, { commitment, state });
  }

  /** Remembers the address that the service gave for a recipient. */
  know(to: string, recipient: Address): void {
    if (this.recipients.size >= MOST_RECIPIENTS) this.recipients.clear();
    this.recipients.set(to, recipient);
  }

  /** Keeps what payments that the service has accepted leave of a balance. */
  keepState(asset: string, planned: PlanInForce, { commitment, state }: Left): void {
    if (this.isContested(asset)) return;
    this.left.set(asset, { ...planned, plan: { ...planned.plan, commitment, state } });
  }

  /** Notes that another client pays from a balance, too. */
  contest(asset: string): void {
    this.contested.set(asset, Date.now() + CONTESTED_MS);
  }

  /** Reports whether another client pays from a balance, too: then both build in turn, under the service's lock. */
  isContested(asset: string): boolean {
    return (this.contested.get(asset) ?? 0) > Date.now();
  }

  /** Notes that payments go one by one: a batch would cost a proof each time and be refused. */
  payAlone(): void {
    this.refusesTogether = true;
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
