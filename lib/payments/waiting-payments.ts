import type { AvailableId } from "@/lib/balances/lock";
import type { KeyContext } from "@/lib/base/context/context";
import type { CreatedTransfer } from "./paid-transfer";
import type { AroundPayment, MadeWith } from "./payment-transaction";
import type { ServerSignedPayment } from "./server-signed-payment";

/**
 * A payment that was made, and the operations to broadcast: none if another payment's turn made it, or if it is held.
 */
export type MadePayment = MadeWith<CreatedTransfer>;

/** A payment that a request asks for. */
export interface AskedPayment {
  ctx: KeyContext;
  payment: ServerSignedPayment;
  around: AroundPayment<CreatedTransfer>;
}

/** A payment that waits for its available balance, with everything that another payment's turn needs to make it. */
export class WaitingPayment {
  /** Whether it was in a batch that was refused, so that it is paid on its own. */
  isAlone = false;
  /** Settles when another payment's turn has made it, or failed to. */
  readonly byAnother: Promise<MadePayment>;
  private end!: { resolve(payment: MadePayment): void; reject(error: unknown): void };
  /** Set while another payment's turn has it. */
  private taken: { over: Promise<void>; giveBack(): void } | null = null;

  constructor(readonly asked: AskedPayment) {
    this.byAnother = new Promise((resolve, reject) => {
      this.end = { resolve, reject };
    });
  }

  /** Whether another payment's turn has it. */
  get isTaken(): boolean {
    return this.taken !== null;
  }

  /** Another payment's turn takes it. */
  take(): void {
    let giveBack = () => {};
    const over = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    this.taken = { over, giveBack };
  }

  /** Another payment's turn has not made it, so it waits again. */
  giveBack(): void {
    this.taken?.giveBack();
    this.taken = null;
  }

  /** Another payment's turn has made it. */
  paid(created: CreatedTransfer): void {
    this.end.resolve({ created, operations: [] });
  }

  /** Another payment's turn may have made it. The error says what is known. */
  failed(error: unknown): void {
    this.end.reject(error);
  }

  /** When its own turn comes: returns the result of another payment's turn; undefined if it still has to be made. */
  async ended(): Promise<MadePayment | undefined> {
    // That turn has ended, but its callbacks may not have run yet. Until then, the payment is not known to be unpaid.
    return this.taken ? Promise.race([this.byAnother, this.taken.over.then(() => undefined)]) : undefined;
  }
}

/*
 * The payments that wait in this process, by available balance. Each process has its own queues; they meet at the
 * available balance's row. A payment that is lost in a crash was not paid.
 */
// Next.js bundles routes separately, so a module variable would give one queue per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonWaiting?: Map<string, Set<WaitingPayment>> };
shared.halcyonWaiting ??= new Map();
const queues = shared.halcyonWaiting;

const nameOf = ({ chainId, account, asset }: AvailableId) => `${chainId}/${account}/${asset}`;

/** Adds payments to their available balance's queue. */
export function joinQueue(availableId: AvailableId, ...payments: readonly WaitingPayment[]): void {
  if (payments.length === 0) return;
  const name = nameOf(availableId);
  const queue = queues.get(name) ?? new Set();
  queues.set(name, queue);
  for (const payment of payments) queue.add(payment);
}

/** Removes a payment from its available balance's queue, if it is there. */
export function leaveQueue(availableId: AvailableId, payment: WaitingPayment): void {
  const name = nameOf(availableId);
  const queue = queues.get(name);
  queue?.delete(payment);
  if (queue?.size === 0) queues.delete(name);
}

const shareable = (availableId: AvailableId): WaitingPayment[] =>
  [...(queues.get(nameOf(availableId)) ?? [])].filter(({ isAlone }) => !isAlone);

/** Returns how many payments wait for an available balance in this process and may share a proof. */
export function waitingAt(availableId: AvailableId): number {
  return shareable(availableId).length;
}

/**
 * Takes waiting payments that may be paid with others, those waiting longest first.
 *
 * @param howMany returns how many to take, given the number that wait
 */
export function takeWaiting(availableId: AvailableId, howMany: (waiting: number) => number): WaitingPayment[] {
  const waiting = shareable(availableId);
  const taken = waiting.slice(0, howMany(waiting.length));
  for (const payment of taken) {
    leaveQueue(availableId, payment);
    payment.take();
  }
  return taken;
}
