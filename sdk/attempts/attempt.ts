import { isAddressEqual } from "viem";
import { readBudgetWord } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Party } from "../account/party";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Chain } from "../chain/chain";
import type { Context } from "../context/context";
import { readView } from "../funds/funds";
import { type AttemptOptions, mayHaveBegun } from "./attempt-options";
import { chainOutcome, type Settled } from "./check-payment";
import { type AttemptMarks, type EarlierPayment, findEarlier, findUnderWay, otherPayment } from "./earlier-attempt";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingDocument, PendingPayment } from "./pending-payment";

/** What is attempted, fixed before its first document. */
export interface AttemptGoal extends AttemptMarks {
  id: string;
  kind: PendingPayment["kind"];
  party: Party;
  asset: Asset;
  /** What the chain will show of it, whichever of its documents settles. */
  names: Pick<PendingPayment, "to" | "note" | "payment_id" | "payments" | "held">;
  /** Whether one under the same key is this very payment. */
  fits(earlier: EarlierPayment): boolean;
}

/** Names that differ are another payment's. */
const NAMES = ["to", "note", "payment_id", "payments"] as const;
const namesIn = (record: PendingPayment) => JSON.stringify(NAMES.map((name) => record[name] ?? null));

/** Whether the ledger has taken the note or the payment id already: both are taken for ever, so since any time. */
async function isUsed(chain: Chain, { account, to, asset, note, payment_id, payments }: PendingPayment) {
  const [first = to && note && { to, note }] = payments ?? [];
  if (first) return (await chain.noteStatus(first.to, asset, hexToWord(first.note))) !== 0;
  return payment_id !== undefined && chain.paymentIdUsed(account, payment_id);
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
  /** The documents before the newest. */
  private former: PendingDocument[] = [];

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
    const { id, kind, party, asset, names } = goal;
    const fresh: PendingPayment = {
      version: 1,
      id,
      kind,
      chain_id: scope.chainId,
      ledger: scope.ledger,
      account: party.address,
      ...(names.to && { to: lowerCase(names.to) }),
      asset: asset.address,
      ...(names.note && { note: names.note }),
      ...(names.payment_id && { payment_id: names.payment_id }),
      ...(names.payments && { payments: names.payments.map(({ to, note }) => ({ to: lowerCase(to), note })) }),
      ...(names.held && { held: names.held }),
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
        namesIn(pending) === namesIn(fresh) &&
        isAddressEqual(pending.account, party.address) &&
        isAddressEqual(pending.asset, asset.address);
      if (!same) throw otherPayment();
      return make(pending, pending.documents.length > 0);
    }
    if (!mayHaveBegun(options)) return make(fresh, false);
    const earlier =
      (await findEarlier(context, fresh, goal, goal.fits)) ??
      (await findUnderWay(context, fresh, goal, deadline).catch(() => null));
    // What is taken for ever finds a payment of long ago as well.
    const used = await isUsed(chain, fresh);
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

  /**
   * What the chain shows now; null while it shows nothing of it.
   *
   * @throws HalcyonError `idempotency_mismatch` when its payment id has gone to another payment
   */
  async look(): Promise<Settled | null> {
    const { documents, kind } = this.record;
    // An allocation is known by its words alone.
    if (documents.length === 0 && kind === "allocation") return null;
    const shown = await chainOutcome(this.context, this.record);
    if (shown.outcome !== "taken") return shown.outcome === "settled" ? shown : null;
    await this.findAgain();
    const again = await chainOutcome(this.context, this.record);
    if (again.outcome === "settled") return again;
    throw otherPayment();
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
  async leaving(document: PendingDocument): Promise<void> {
    // One word under two policy versions is two documents: the chain may still take either.
    const isSame = ({ new_word, policy_version }: PendingDocument) =>
      new_word === document.new_word && policy_version === document.policy_version;
    const others = this.record.documents.filter((one) => !isSame(one) || one.deadline > document.deadline);
    const record = { ...this.record, documents: [...others, document] };
    await this.onPending?.(record);
    this.former = this.record.documents;
    this.record = record;
    this.mayHaveLeft = true;
  }

  /** Takes the newest document back: it has not left this machine. One that it replaced has. */
  recall(): void {
    this.record = { ...this.record, documents: this.former };
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
    const { fits } = this.goal;
    const found = await findEarlier(this.context, this.record, this.goal, fits, BigInt(this.record.since_block));
    if (!found) return;
    const known = new Set(this.record.documents.map(({ new_word }) => new_word));
    const others = found.documents.filter(({ new_word }) => !known.has(new_word));
    const { note = this.record.note, payment_id = this.record.payment_id, payments = this.record.payments } = found;
    const names = { ...(note && { note }), ...(payment_id && { payment_id }), ...(payments && { payments }) };
    this.record = { ...this.record, ...names, documents: [...this.record.documents, ...others] };
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
