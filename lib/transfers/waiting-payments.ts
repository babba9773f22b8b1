import type { BudgetId } from "@/lib/budgets/lock";
import type { BeforeCommit, KeyContext } from "@/lib/context/context";
import type { SubmittedOperation } from "@/lib/operations/submit-operation";
import type { CreatedTransfer } from "./paid-transfer";
import type { ServerSignedPayment } from "./server-signed-payment";

/** A payment that was made, and what to broadcast: nothing when another one's turn made it, or when it is held. */
export interface MadePayment {
  created: CreatedTransfer;
  operations: readonly SubmittedOperation[];
}

/** A payment that a request asks for. */
export interface AskedPayment {
  ctx: KeyContext;
  payment: ServerSignedPayment;
  beforeCommit: BeforeCommit<CreatedTransfer>;
}

/** A payment that waits for its budget, with all that another one needs to make it as well. */
export class WaitingPayment {
  /** It was in a batch that was refused: it goes singly. */
  isAlone = false;
  /** Ends when another one's turn has made it, or failed to. */
  readonly byAnother: Promise<MadePayment>;
  private end!: { resolve(payment: MadePayment): void; reject(error: unknown): void };
  /** While another one's turn has it. */
  private taken: { over: Promise<void>; giveBack(): void } | null = null;

  constructor(readonly asked: AskedPayment) {
    this.byAnother = new Promise((resolve, reject) => {
      this.end = { resolve, reject };
    });
  }

  /** Another one's turn takes it. */
  take(): void {
    let giveBack = () => {};
    const over = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    this.taken = { over, giveBack };
  }

  /** Another one's turn has not made it: it waits as before. */
  giveBack(): void {
    this.taken?.giveBack();
    this.taken = null;
  }

  /** Another one's turn has made it. */
  paid(created: CreatedTransfer): void {
    this.end.resolve({ created, operations: [] });
  }

  /** Another one's turn may have made it: what is known of that is the error. */
  failed(error: unknown): void {
    this.end.reject(error);
  }

  /** When its own turn has come: what another one has made of it; undefined when it is still to be made. */
  async ended(): Promise<MadePayment | undefined> {
    // That one's turn is over, but what follows from it may be yet to run: until then it is not known to be unpaid.
    return this.taken ? Promise.race([this.byAnother, this.taken.over.then(() => undefined)]) : undefined;
  }
}

/*
 * Those that wait in this process, by budget. Another process has its own: they meet at the budget's row, and what one
 * of them loses in a crash was not paid.
 */
// Next bundles routes separately: one queue per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonWaiting?: Map<string, Set<WaitingPayment>> };
shared.halcyonWaiting ??= new Map();
const queues = shared.halcyonWaiting;

const nameOf = ({ chainId, account, asset }: BudgetId) => `${chainId}/${account}/${asset}`;

/** Puts payments into their budget's queue. */
export function joinQueue(budgetId: BudgetId, ...payments: readonly WaitingPayment[]): void {
  if (payments.length === 0) return;
  const name = nameOf(budgetId);
  const queue = queues.get(name) ?? new Set();
  queues.set(name, queue);
  for (const payment of payments) queue.add(payment);
}

/** Takes a payment out of its budget's queue, if it is there. */
export function leaveQueue(budgetId: BudgetId, payment: WaitingPayment): void {
  const name = nameOf(budgetId);
  const queue = queues.get(name);
  queue?.delete(payment);
  if (queue?.size === 0) queues.delete(name);
}

/** How many wait for a budget in this process. */
export function waitingAt(budgetId: BudgetId): number {
  return queues.get(nameOf(budgetId))?.size ?? 0;
}

/**
 * Takes payments that may go with others, the longest waiting first.
 *
 * @param howMany of that many that wait
 */
export function takeWaiting(budgetId: BudgetId, howMany: (waiting: number) => number): WaitingPayment[] {
  const waiting = [...(queues.get(nameOf(budgetId)) ?? [])].filter(({ isAlone }) => !isAlone);
  const taken = waiting.slice(0, howMany(waiting.length));
  for (const payment of taken) {
    leaveQueue(budgetId, payment);
    payment.take();
  }
  return taken;
}
