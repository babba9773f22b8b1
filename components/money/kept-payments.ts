import type { PendingPayment } from "@/sdk/attempts/pending-payment";

/** What moves money, as a person calls it. */
export type KeptAct = "send" | "withdraw" | "fund" | "take back" | "allocate" | "deposit" | "approve" | "refund";

/**
 * An act whose signed document has left this browser, kept until its outcome is known and was shown. Never an amount, a
 * memo or a key: what is here lies in the browser's storage in clear.
 */
export interface Kept {
  id: string;
  act: KeptAct;
  /** Whom it pays, as the person wrote it; of an allocation the agent whose budget it is. */
  to?: string;
  pending: PendingPayment;
  /** The service has accepted it and the person knows. */
  accepted?: true;
  /** What the chain has shown. The person has not seen it yet. */
  outcome?: { made: boolean; transferId: string | null };
}

/** What the chain says of a kept act (components/vault/check-pending). */
export type Found =
  | { outcome: "settled"; final: boolean; transfer_id: string | null }
  | { outcome: "nothing_moved" }
  | { outcome: "open" };

/** The part of `Storage` that is needed. */
type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NONE: readonly Kept[] = [];

/**
 * The kept acts of one account in this browser. Written before a document leaves: where nothing can be written, `keep`
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

  /** The oldest first. The same array until something changes. */
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

  /** Another tab wrote. */
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Keeps an act, or the newest attempt at it. */
  keep(kept: Kept): void {
    const others = this.list().filter(({ id }) => id !== kept.id);
    this.write([...others, kept]);
  }

  /** Changes one that is still kept. */
  change(id: string, part: Pick<Kept, "accepted" | "outcome">): void {
    this.write(this.list().map((kept) => (kept.id === id ? { ...kept, ...part } : kept)));
  }

  drop(id: string): void {
    this.write(this.list().filter((kept) => kept.id !== id));
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
 * Writes down what the chain has shown of a kept act. One that the person knows to be accepted is not announced twice.
 */
export function learn(payments: KeptPayments, kept: Kept, found: Found): void {
  switch (found.outcome) {
    case "open":
      return;
    case "nothing_moved":
      payments.change(kept.id, { outcome: { made: false, transferId: null } });
      return;
    case "settled":
      if (!found.final) return;
      if (kept.accepted) payments.drop(kept.id);
      else payments.change(kept.id, { outcome: { made: true, transferId: found.transfer_id } });
  }
}

/** The act that blocks another one to the same place: it is not known yet whether it was made. */
export function unsettled(all: readonly Kept[], act: KeptAct, to: string | undefined): Kept | undefined {
  return all.find((kept) => kept.act === act && kept.to === to && !kept.accepted && !kept.outcome);
}
