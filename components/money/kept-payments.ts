import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";

/** The kinds of acts that move money, as people call them. */
export type KeptAct =
  | "send"
  | "withdraw"
  | "fund"
  | "take back"
  | "makeAvailable"
  | "deposit"
  | "approve"
  | "refund"
  | "payout"
  | "run";

/**
 * An act whose signed document has left this browser, kept until its outcome is known and has been shown. Never
 * contains an amount, a memo or a key, because the browser stores it in the clear.
 */
export interface Kept {
  id: string;
  act: KeptAct;
  /**
   * The recipient as the person wrote it. For a move to the available balance, the agent whose available balance it
   * changes; for a payout, its id.
   */
  to?: string;
  pending: PendingPayment;
  /** Set if the service has accepted the act, the person has seen that, and the service does not call it failed. */
  accepted?: true;
  /** What the chain has shown. Set while the person has not seen it yet. */
  outcome?: { made: boolean; transferId: string | null };
}

/** What the chain shows about a kept act (components/vault/check-pending). */
export type FoundKept =
  | { outcome: "settled"; final: boolean; transfer_id: string | null }
  | { outcome: "nothing_moved" }
  | { outcome: "open" };

/** The part of `Storage` that is used. */
type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NONE: readonly Kept[] = [];

/**
 * The kept acts of one account in this browser. An act is written before its document leaves. If storage fails, `keep`
 * throws and nothing leaves.
 */
export class KeptPayments {
  private readonly name: string;
  private readonly listeners = new Set<() => void>();
  private raw: string | null = null;
  private read: readonly Kept[] = NONE;

  constructor(
    private readonly storage: BrowserStorage,
    owner: { network: string; address: string },
  ) {
    this.name = `halcyon.payments.${owner.network}.${owner.address.toLowerCase()}`;
  }

  /** Lists the kept acts, oldest first. Returns the same array until something changes. */
  readonly list = (): readonly Kept[] => {
    const raw = this.storage.getItem(this.name);
    if (raw !== this.raw) {
      this.raw = raw;
      this.read = parsed(raw);
    }
    return this.read;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Notifies listeners that another tab wrote. */
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Stores an act, or the newest attempt at it. */
  keep(kept: Kept): void {
    const others = this.list().filter(({ id }) => id !== kept.id);
    this.write([...others, kept]);
  }

  /** Updates an act if it is still kept. */
  change(id: string, part: Pick<Kept, "accepted" | "outcome">): void {
    this.write(this.list().map((kept) => (kept.id === id ? { ...kept, ...part } : kept)));
  }

  drop(id: string): void {
    this.write(this.list().filter((kept) => kept.id !== id));
  }

  /** Takes back that a payment was accepted, so that it is reported like one whose response was lost. */
  doubt({ id }: PendingPayment): void {
    const doubted = this.list().find(({ pending, accepted }) => pending.id === id && accepted);
    if (doubted) this.keep({ ...doubted, accepted: undefined });
  }

  /** Drops a payment whose outcome the person has seen. */
  forget({ id }: PendingPayment): void {
    for (const kept of this.list()) if (kept.pending.id === id) this.drop(kept.id);
  }

  private write(all: readonly Kept[]): void {
    if (all.length === 0) this.storage.removeItem(this.name);
    else this.storage.setItem(this.name, JSON.stringify(all));
    this.changed();
  }
}

function parsed(raw: string | null): readonly Kept[] {
  if (raw === null) return NONE;
  try {
    const all: unknown = JSON.parse(raw);
    return Array.isArray(all) ? all.filter(isKept) : NONE;
  } catch {
    return NONE;
  }
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "id" in value && "act" in value && "pending" in value;
}

/**
 * Records what the chain shows about a kept act. Drops an act that the person already knows to be accepted, so that it
 * is not announced twice.
 *
 * @param kept the act as it was when the chain was asked
 */
export function learn(payments: KeptPayments, kept: Kept, found: FoundKept): void {
  const now = payments.list().find(({ id }) => id === kept.id);
  if (!now) return;
  switch (found.outcome) {
    case "open":
      return;
    case "nothing_moved":
      // Another document of the same act may have left since. Nothing is known of that one.
      if (JSON.stringify(now.pending) !== JSON.stringify(kept.pending)) return;
      payments.change(now.id, { outcome: { made: false, transferId: null } });
      return;
    case "settled":
      if (!found.final) return;
      if (now.accepted) payments.drop(now.id);
      else payments.change(now.id, { outcome: { made: true, transferId: found.transfer_id } });
  }
}

/** Returns the unsettled act that blocks another one of its kind to the same place, if any. */
export function unsettled(all: readonly Kept[], act: KeptAct, to: string | undefined): Kept | undefined {
  return all.find((kept) => kept.act === act && kept.to === to && !kept.accepted && !kept.outcome);
}
