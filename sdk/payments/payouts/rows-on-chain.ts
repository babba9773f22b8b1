import { type Hex, isAddressEqual } from "viem";
import { wordToHex } from "@/lib/ledger/crypto/field";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { payoutRowSeed } from "@/lib/ledger/seal/payout";
import { HalcyonError } from "../../api/errors";
import type { Payout } from "../../api/resources/payouts";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import { blockSince } from "../attempts/earlier-attempt";
import { timeOfPayout } from "./new-payout-id";
import { type OpenedPayout, type OpenedPayoutRow, openAllRows } from "./payouts-by-wallet";

/** How far the clock of the machine that accepted a payout may be ahead, in seconds. */
const CLOCKS = 3_600;
/** How long the chain may take to show what was sent, in milliseconds. */
const SETTLING_MS = 10_000;
const LOOK_MS = 250;

const unlisted = ({ rows }: Pick<Payout, "rows">) =>
  new HalcyonError("unavailable", `The service does not list each of the payout's ${rows} rows once. Try again later.`);

/**
 * What a client knows about the rows of a payout. How many there are is bound to the payout's key, and what was paid is
 * on the chain: the service's counts decide neither.
 */
export class RowsOnChain {
  /** Row numbers by what this client knows of them. Rows that are in neither are to be paid. */
  readonly sent = new Map<number, Hex | null>();
  readonly failed = new Set<number>();
  private paid: ReadonlySet<number> = new Set();

  constructor(
    private readonly context: Context,
    private readonly opened: OpenedPayout,
  ) {}

  /** Returns how many rows still have to be paid. */
  get left(): number {
    return this.opened.payout.rows - new Set([...this.sent.keys(), ...this.failed]).size;
  }

  /** Notes that a row was sent, with what it pays. */
  async send({ row, text }: OpenedPayoutRow): Promise<void> {
    const { key } = this.opened;
    const scope = await this.context.scope();
    const seed = key && payoutRowSeed(key, scope, row);
    const note = seed && text && wordToHex(noteOf(seed, scope, text.address, text.asset, text.amount).word);
    this.sent.set(row.row, note);
  }

  /**
   * Reads what was done before this call.
   *
   * @throws HalcyonError `unavailable` when the service does not list each row, or calls one paid that the ledger does
   *   not show
   */
  async readEarlier(): Promise<void> {
    const { payout } = this.opened;
    const all = await openAllRows(this.context, this.opened);
    const numbers = new Set(all.map(({ row }) => row.row));
    const isEach = Array.from({ length: payout.rows }, (_, at) => at + 1).every((number) => numbers.has(number));
    if (!isEach || all.length !== payout.rows) throw unlisted(payout);
    for (const one of all) {
      const { row, status, transfer } = one.row;
      if (status === "failed" || status === "cancelled") this.failed.add(row);
      if (status !== "paid" && status !== "sent") continue;
      await this.send(one);
      // The text of a payout that is done is deleted with its key.
      if (!this.opened.key) this.sent.set(row, transfer?.note ?? null);
    }
    const notes = [...this.sent.values()];
    if (new Set(notes).size !== notes.length) throw unlisted(payout);
    await this.look();
    const claimed = all.find(({ row }) => row.status === "paid" && !this.paid.has(row.row));
    if (!claimed) return;
    const message = `The service calls row ${claimed.row.row} paid, and the ledger does not show it. Try again later.`;
    throw new HalcyonError("unavailable", message);
  }

  /** Reads which of the rows that were sent the ledger shows. */
  private async look(): Promise<void> {
    if (this.sent.size === 0) return;
    const { context, opened } = this;
    const chain = await context.chain();
    const age = Math.max(0, Math.ceil((Date.now() - timeOfPayout(opened.payout.payout_id)) / 1000));
    const [since, newest] = await Promise.all([blockSince(context, age + CLOCKS), chain.client.getBlockNumber()]);
    const { address } = context.wallet;
    const notes = new Set<Hex>();
    for (const { eventName, args } of await moneyEvents(chain.client, chain.ledger, address, since, newest)) {
      const pays = eventName === "Transferred" || eventName === "Paid";
      if (pays && isAddressEqual(args.account, address)) notes.add(wordToHex(args.note));
    }
    this.paid = new Set([...this.sent].flatMap(([row, note]) => (note && notes.has(note) ? [row] : [])));
  }

  /**
   * Returns the payout with what is known of its rows, after waiting a while for the chain to show what was sent.
   *
   * @throws HalcyonError `unavailable` when the service calls it done and rows are left
   */
  async counted(payout: Payout, isWanted: () => boolean): Promise<Payout> {
    const goesOn = (payout.status === "processing" || payout.status === "finished") && isWanted();
    // The service may have found on chain meanwhile what it called pending.
    if (goesOn && this.left > 0) await this.readEarlier();
    const { left, failed, sent } = this;
    if (goesOn && left > 0) throw unlisted(this.opened.payout);
    for (const end = Date.now() + SETTLING_MS; ; await this.context.call.pause(LOOK_MS)) {
      await this.look();
      if (this.paid.size === sent.size || !isWanted() || Date.now() > end) break;
    }
    const rows_paid = this.paid.size;
    const open = payout.status === "cancelled" ? { rows_cancelled: left } : { rows_pending: left };
    return {
      ...payout,
      rows: this.opened.payout.rows,
      rows_paid,
      rows_sent: sent.size - rows_paid,
      rows_failed: failed.size,
      ...open,
    };
  }
}
