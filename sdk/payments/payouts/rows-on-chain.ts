import { type Hex, isAddressEqual } from "viem";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { HalcyonError } from "../../api/errors";
import type { Payout } from "../../api/resources/payouts";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import { blockSince } from "../attempts/earlier-attempt";
import { timeOfPayout } from "./new-payout-id";
import { type DecryptedPayout, type DecryptedPayoutRow, decryptAllRows } from "./payouts-by-wallet";

/** How far the clock of the machine that accepted a payout may be ahead, in seconds. */
const CLOCKS = 3_600;
/** How long the chain may take to show what was sent, in milliseconds. */
const SETTLING_MS = 10_000;
const LOOK_MS = 250;

/** Returns the error for a list that does not have each of a payout's rows once. */
export const unlisted = ({ rows }: Pick<Payout, "rows">) =>
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
    private readonly opened: DecryptedPayout,
  ) {}

  /** Returns how many rows still have to be paid. */
  get left(): number {
    return this.opened.payout.rows - new Set([...this.sent.keys(), ...this.failed]).size;
  }

  /** Notes that a row was sent, with what it pays. */
  async send(one: DecryptedPayoutRow): Promise<void> {
    this.sent.set(one.row.row, await this.noteOf(one));
  }

  /** Returns the note of a row's payment; null if it is not known. */
  async noteOf({ row, text }: DecryptedPayoutRow): Promise<Hex | null> {
    const { key } = this.opened;
    // The texts of a payout that is done are deleted with its key, perhaps after the key was read.
    if (!key || row.ciphertext === "0x") return row.transfer?.note ?? null;
    const scope = await this.context.scope();
    return (
      text &&
      commitmentToHex(noteOf(payoutRowSeed(key, scope, row), scope, text.address, text.asset, text.amount).commitment)
    );
  }

  /**
   * Reads what was done before this call.
   *
   * @returns every row, in the order of the file
   * @throws HalcyonError `unavailable` when the service does not list each row, or says of one what the ledger
   *   contradicts
   */
  async readEarlier(): Promise<DecryptedPayoutRow[]> {
    const { payout } = this.opened;
    const all = await decryptAllRows(this.context, this.opened);
    if (all.length !== payout.rows || all.some(({ row }, at) => row.row !== at + 1)) throw unlisted(payout);
    const unpaid = new Map<number, Hex | null>();
    for (const one of all) {
      const { row, status, transfer, transfer_id } = one.row;
      if (transfer && transfer.transfer_id !== transfer_id) throw unlisted(payout);
      if (status === "paid" || status === "sent") await this.send(one);
      else if (status === "failed" || status === "cancelled") {
        this.failed.add(row);
        unpaid.set(row, await this.noteOf(one));
      } else if (status !== "pending") throw unlisted(payout);
    }
    const notes = [...this.sent.values()];
    if (new Set(notes).size !== notes.length) throw unlisted(payout);
    const shown = await this.look(unpaid);
    const wrong = all.find(({ row }) => (row.status === "paid" ? !this.paid.has(row.row) : shown.has(row.row)));
    if (!wrong) return all;
    const { row, status } = wrong.row;
    const message = `The service calls row ${row} ${status}, and the ledger shows otherwise. Try again later.`;
    throw new HalcyonError("unavailable", message);
  }

  /**
   * Reads which of the rows that were sent the ledger shows.
   *
   * @returns which of the other rows it shows
   */
  async look(others: ReadonlyMap<number, Hex | null> = new Map()): Promise<Set<number>> {
    if (this.sent.size + others.size === 0) return new Set();
    const { context, opened } = this;
    const chain = await context.chain();
    const age = Math.max(0, Math.ceil((Date.now() - timeOfPayout(opened.payout.payout_id)) / 1000));
    const [since, newest] = await Promise.all([blockSince(context, age + CLOCKS), chain.client.getBlockNumber()]);
    const { address } = context.wallet;
    const notes = new Set<Hex>();
    for (const { eventName, args } of await moneyEvents(chain.client, chain.ledger, address, since, newest)) {
      const pays = eventName === "Transferred" || eventName === "Paid";
      if (pays && isAddressEqual(args.account, address)) notes.add(commitmentToHex(args.note));
    }
    const shownOf = (rows: ReadonlyMap<number, Hex | null>) =>
      new Set([...rows].flatMap(([row, note]) => (note && notes.has(note) ? [row] : [])));
    this.paid = shownOf(this.sent);
    return shownOf(others);
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
