import { isAddressEqual } from "viem";
import { readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { readView } from "../../account/funds/funds";
import type { Party } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Chain } from "../../chain/chain";
import type { Context } from "../../context/context";
import { type AttemptOptions, mayHaveBegun, type OwnAttemptOptions } from "./attempt-options";
import { chainOutcome, type Settled } from "./check-payment";
import { type AttemptMarks, type EarlierPayment, findEarlier, findUnderWay, otherPayment } from "./earlier-attempt";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingDocument, PendingPayment } from "./pending-payment";

/** What is attempted. Fixed before the first document is built. */
export interface AttemptGoal extends AttemptMarks {
  id: string;
  kind: PendingPayment["kind"];
  party: Party;
  asset: Asset;
  /** The marks by which the chain identifies the payment, whichever of its documents settles. */
  names: Pick<PendingPayment, "to" | "note" | "payment_id" | "payments" | "held">;
  /** Reports whether an earlier payment under the same key is this payment. */
  fits(earlier: EarlierPayment): boolean;
}

/** The fields that identify a payment. If they differ, it is a different payment. */
const NAMES = ["to", "note", "payment_id", "payments"] as const;
const namesIn = (record: PendingPayment) => JSON.stringify(NAMES.map((name) => record[name] ?? null));

/**
 * Reports whether the ledger has accepted the note or the payment id, ever. Each can be used only once, so no start
 * block is needed.
 */
async function isUsed(chain: Chain, { account, to, asset, note, payment_id, payments }: PendingPayment) {
  const [first = to && note && { to, note }] = payments ?? [];
  if (first) return (await chain.noteStatus(first.to, asset, hexToCommitment(first.note))) !== 0;
  return payment_id !== undefined && chain.paymentIdUsed(account, payment_id);
}

/** How long to wait for the chain and the service to agree on the newest available balance before giving up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

const busy = () =>
  new HalcyonError(
    "available_balance_changed",
    "Other payments from this balance are in progress. Try again when they are final.",
  );

/**
 * One payment or move to the available balance across all its documents. Records what was sent, and determines the
 * outcome from the chain, never from the service.
 */
export class Attempt {
  /** Whether an earlier process may have sent something. */
  private readonly began: boolean;
  /** The documents before the newest was added. */
  private former: PendingDocument[] = [];

  private constructor(
    private readonly context: Context,
    private readonly goal: AttemptGoal,
    private record: PendingPayment,
    /** The deadline of all documents of this process. */
    readonly deadline: bigint,
    private readonly onPending: AttemptOptions["onPending"],
    private mayHaveLeft: boolean,
  ) {
    this.began = mayHaveLeft;
  }

  /**
   * Begins an attempt, or continues an earlier one.
   *
   * @throws HalcyonError `idempotency_mismatch` when the key belongs to a different payment
   */
  static async begin(context: Context, goal: AttemptGoal, options: OwnAttemptOptions): Promise<Attempt> {
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
      (await findEarlier(context, fresh, goal, goal.fits, options.searchSeconds)) ??
      (await findUnderWay(context, fresh, goal, deadline).catch(() => null));
    // A used note or payment id also finds a payment that is older than the search window.
    const used = await isUsed(chain, fresh);
    if (earlier || !used) return make(earlier ?? fresh, true);
    const { enrolledBlock } = await chain.account(party.address);
    return make({ ...fresh, since_block: enrolledBlock.toString() }, true);
  }

  /** The record: everything needed to look up the payment later. */
  get pending(): PendingPayment {
    return this.record;
  }

  /** Whether a document may have left this machine, in this process or an earlier one. */
  get left(): boolean {
    return this.mayHaveLeft;
  }

  /** Whether a document is known to have left, from here or, according to the record, from an earlier run. */
  get sent(): boolean {
    return this.record.documents.length > 0;
  }

  /**
   * Looks at the chain now. Returns null if it shows nothing of the payment.
   *
   * @throws HalcyonError `idempotency_mismatch` when the payment id was used by a different payment
   */
  async look(): Promise<Settled | null> {
    const { documents, kind } = this.record;
    // A move to the available balance can be recognized only by its available balance commitments.
    if (documents.length === 0 && kind === "make_available") return null;
    const shown = await chainOutcome(this.context, this.record);
    if (shown.outcome !== "taken") return shown.outcome === "settled" ? shown : null;
    await this.findAgain();
    const again = await chainOutcome(this.context, this.record);
    if (again.outcome === "settled") return again;
    throw otherPayment();
  }

  /** Like `look`, repeated for some seconds: what was just sent needs a block. */
  async watch(times: number): Promise<Settled | null> {
    if (!this.left) return null;
    for (let time = 1; ; time++) {
      const seen = await this.look().catch(() => null);
      if (seen || time === times) return seen;
      await this.context.call.pause(2 * PAUSE_MS);
    }
  }

  /** Records a document before it is sent. If the record can't be kept, nothing is sent. */
  async leaving(document: PendingDocument): Promise<void> {
    // The same commitment under two policy versions is two documents: the chain may accept either.
    const isSame = ({ new_commitment, policy_version }: PendingDocument) =>
      new_commitment === document.new_commitment && policy_version === document.policy_version;
    const others = this.record.documents.filter((one) => !isSame(one) || one.deadline > document.deadline);
    const record = { ...this.record, documents: [...others, document] };
    await this.onPending?.(record);
    this.former = this.record.documents;
    this.record = record;
    this.mayHaveLeft = true;
  }

  /**
   * Removes the newest document from the record because it did not leave this machine. A document that it replaced
   * stays.
   */
  recall(): void {
    this.record = { ...this.record, documents: this.former };
    this.mayHaveLeft = this.began || this.record.documents.length > 0;
  }

  /** Returns the available balance commitment that the chain shows now. */
  async chainCommitment(): Promise<bigint> {
    const { party, asset } = this.goal;
    return readAvailableCommitment(await (await this.context.chain()).availableOf(party.address, asset.address));
  }

  /**
   * Returns the available balance commitment on which a payment without a note may be prepared again: the chain's
   * current commitment, if none of our documents has changed it. Each document still in flight builds on that same
   * commitment, or on one that only another document of this payment can produce, so at most one of them settles. Waits
   * while the service is ahead of the chain.
   *
   * @returns the commitment, or what the chain shows if the payment has happened
   * @throws OutcomeUnknown when the chain and the service don't come to agree
   */
  async commitmentToBuildOn(): Promise<bigint | Settled> {
    const { party, asset } = this.goal;
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const commitment = await this.chainCommitment();
      // Look after reading the commitment: a document that settles later changes the commitment and so voids what is
      // prepared over it.
      await this.findAgain();
      const seen = await this.look();
      if (seen) return seen;
      const view = await readView(this.context, party, asset);
      if (hexToCommitment(view.available.newest_commitment) === commitment) return commitment;
      if (Date.now() > end) throw this.sent ? this.unknown() : busy();
      await this.context.call.pause(PAUSE_MS);
    }
  }

  /**
   * Searches again for what an earlier process may have sent under this key: it may have settled since this attempt
   * began.
   *
   * @throws HalcyonError `idempotency_mismatch` when that was a different payment
   */
  private async findAgain(): Promise<void> {
    if (!this.began) return;
    const { fits } = this.goal;
    const found = await findEarlier(this.context, this.record, this.goal, fits, BigInt(this.record.since_block));
    if (!found) return;
    const known = new Set(this.record.documents.map(({ new_commitment }) => new_commitment));
    const others = found.documents.filter(({ new_commitment }) => !known.has(new_commitment));
    const { note = this.record.note, payment_id = this.record.payment_id, payments = this.record.payments } = found;
    const names = { ...(note && { note }), ...(payment_id && { payment_id }), ...(payments && { payments }) };
    this.record = { ...this.record, ...names, documents: [...this.record.documents, ...others] };
  }

  /** Creates the error for an attempt that can't continue now. */
  unknown(cause?: unknown): OutcomeUnknown {
    return new OutcomeUnknown(this.record, cause === undefined ? undefined : toHalcyonError(cause));
  }

  /**
   * Returns the error to throw to the caller. Before anything was sent, that is the error itself; if an earlier process
   * may have used the key without leaving a record, its message says so as well.
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
