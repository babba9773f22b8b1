import { type Address, type Hex, isAddressEqual } from "viem";
import { readBudgetWord } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { Party } from "../account/party";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Context } from "../context/context";
import { readView } from "../funds/funds";
import { type AttemptOptions, mayHaveBegun } from "./attempt-options";
import { chainOutcome, type Settled } from "./check-payment";
import { findEarlier, findUnderWay, otherPayment } from "./earlier-attempt";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingDocument, PendingPayment } from "./pending-payment";

/** What is attempted, fixed before its first document. */
export interface AttemptGoal {
  id: string;
  kind: PendingPayment["kind"];
  party: Party;
  asset: Asset;
  seed: Uint8Array;
  to?: Address;
  note?: Hex;
  held?: string;
  /** Whether an event with the same seed is this very payment. */
  fits(event: MoneyEvent): boolean;
}

/** How long the chain and the service may differ over the newest budget before a retry is given up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

const busy = () =>
  new HalcyonError(
    "budget_changed",
    "Other payments from this balance are in progress. Try again when they are final.",
  );

/**
 * One payment or allocation over all its documents: keeps the record of what has left, and looks at the chain, never at what
 * the service says, for what became of it.
 */
export class Attempt {
  /** Whether an earlier process may have sent something. */
  private readonly began: boolean;

  private constructor(
    private readonly context: Context,
    private readonly goal: AttemptGoal,
    private record: PendingPayment,
    /** For all documents of this process. */
    readonly deadline: bigint,
    private readonly onPending: AttemptOptions["onPending"],
    private mayHaveLeft: boolean,
  ) {
    this.began = mayHaveLeft;
  }

  /**
   * Begins an attempt, or goes on with an earlier one.
   *
   * @throws HalcyonError `idempotency_mismatch` when the key names another payment
   */
  static async begin(context: Context, goal: AttemptGoal, options: AttemptOptions): Promise<Attempt> {
    const [chain, scope] = await Promise.all([context.chain(), context.scope()]);
    const [deadline, block] = await Promise.all([chain.deadline(), chain.client.getBlockNumber()]);
    const { id, kind, party, asset, to, note, held } = goal;
    const fresh: PendingPayment = {
      version: 1,
      id,
      kind,
      chain_id: scope.chainId,
      ledger: scope.ledger,
      account: party.address,
      ...(to && { to: to.toLowerCase() as Address }),
      asset: asset.address,
      ...(note && { note }),
      ...(held && { held }),
      since_block: block.toString(),
      documents: [],
    };
    const make = (record: PendingPayment, left: boolean) =>
      new Attempt(context, goal, record, deadline, options.onPending, left);
    const { pending } = options;
    if (pending) {
      const same =
        pending.id === id &&
        pending.kind === kind &&
        pending.note === note &&
        pending.to === fresh.to &&
        isAddressEqual(pending.account, party.address) &&
        isAddressEqual(pending.asset, asset.address);
      if (!same) throw otherPayment();
      return make(pending, pending.documents.length > 0);
    }
    if (!mayHaveBegun(options)) return make(fresh, false);
    const earlier =
      (await findEarlier(context, fresh, goal.seed, goal.fits)) ??
      (await findUnderWay(context, fresh, goal.seed, deadline).catch(() => null));
    // A note is taken for ever: a payment of long ago is found as well.
    const used = note && to && (await chain.noteStatus(to, asset.address, hexToWord(note))) !== 0;
    const { ledgerBlock } = await context.info();
    return make(earlier ?? (used ? { ...fresh, since_block: ledgerBlock.toString() } : fresh), true);
  }

  /** Everything that looking again takes. */
  get pending(): PendingPayment {
    return this.record;
  }

  /** Whether a document has left this machine, in this process or an earlier one. */
  get left(): boolean {
    return this.mayHaveLeft;
  }

  /** Whether a document is known to have left, here or, by its record, from an earlier process */
  get sent(): boolean {
    return this.record.documents.length > 0;
  }

  /** What the chain shows now; null while it shows nothing of it. */
  async look(): Promise<Settled | null> {
    if (this.record.documents.length === 0 && !this.record.note) return null;
    const shown = await chainOutcome(this.context, this.record);
    return shown.outcome === "settled" ? shown : null;
  }

  /** As `look`, for some seconds: what has just been sent needs a block. */
  async watch(times: number): Promise<Settled | null> {
    if (!this.left) return null;
    for (let time = 1; ; time++) {
      const seen = await this.look().catch(() => null);
      if (seen || time === times) return seen;
      await this.context.call.pause(2 * PAUSE_MS);
    }
  }

  /** Records a document that is about to leave. Nothing leaves when the record cannot be kept. */
  async leaving(document: Omit<PendingDocument, "deadline">): Promise<void> {
    const others = this.record.documents.filter(({ new_word }) => new_word !== document.new_word);
    const entry = { ...document, deadline: Number(this.deadline) };
    const record = { ...this.record, documents: [...others, entry] };
    await this.onPending?.(record);
    this.record = record;
    this.mayHaveLeft = true;
  }

  /** Takes the newest document back: it has not left this machine. */
  recall(): void {
    this.record = { ...this.record, documents: this.record.documents.slice(0, -1) };
    this.mayHaveLeft = this.began || this.record.documents.length > 0;
  }

  /**
   * The budget word over which a payment without a note may be prepared again: the chain's own, when none of our documents
   * has changed it. Each of them that is still under way builds on that very word, or on one that can only come after
   * another payment of it, so at most one of all settles. Waits while the service is ahead of the chain.
   *
   * @returns the word, or what the chain shows when it has happened
   * @throws OutcomeUnknown when chain and service do not come to agree
   */
  async wordToBuildOn(): Promise<bigint | Settled> {
    const { party, asset } = this.goal;
    const chain = await this.context.chain();
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const word = readBudgetWord(await chain.budgetOf(party.address, asset.address));
      // After the word was read: what settles later takes the word from what is prepared over it.
      await this.findAgain();
      const seen = await this.look();
      if (seen) return seen;
      const view = await readView(this.context, party, asset);
      if (hexToWord(view.budget.newest_word) === word) return word;
      if (Date.now() > end) throw this.sent ? this.unknown() : busy();
      await this.context.call.pause(PAUSE_MS);
    }
  }

  /**
   * Looks once more for what an earlier process may have sent under this key: it may have settled since this one began.
   *
   * @throws HalcyonError `idempotency_mismatch` when that was another payment
   */
  private async findAgain(): Promise<void> {
    if (!this.began) return;
    const { seed, fits } = this.goal;
    const found = await findEarlier(this.context, this.record, seed, fits, BigInt(this.record.since_block));
    if (!found) return;
    const known = new Set(this.record.documents.map(({ new_word }) => new_word));
    const others = found.documents.filter(({ new_word }) => !known.has(new_word));
    this.record = { ...this.record, documents: [...this.record.documents, ...others] };
  }

  /** The error of an attempt that cannot go on now. */
  unknown(cause?: unknown): OutcomeUnknown {
    return new OutcomeUnknown(this.record, cause === undefined ? undefined : toHalcyonError(cause));
  }

  /**
   * What an error means for the caller: before anything has left it is what it says. Of a key that an earlier process may
   * have used without a trace, it says that as well.
   */
  verdict(error: unknown): unknown {
    if (error instanceof OutcomeUnknown || error instanceof NothingMoved || !this.left) return error;
    if (this.sent) return this.unknown(error);
    const known = toHalcyonError(error);
    const until = new Date(1000 * Number(this.deadline)).toISOString().replace(/\.\d+Z$/, "Z");
    known.message +=
      ` This call sent nothing. If an earlier one with the idempotency key ${this.record.id} was cut off, it may still pay until ` +
      `${until}: repeat this one then, with the same key.`;
    return known;
  }
}
