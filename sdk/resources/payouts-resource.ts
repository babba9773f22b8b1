import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import { OPTIONAL_PAGE, type Paged } from "../api/paged";
import type { Payout, PayoutCheck, PayoutList, PayoutRow, PayoutRowList } from "../api/resources/payouts";
import {
  cancelPayout,
  checkPayout,
  createPayout,
  getPayout,
  type ListPayoutRowsInput,
  type ListPayoutsInput,
  listPayoutRows,
  listPayouts,
  type PayoutInput,
  type PayoutOptions,
  resumePayout,
} from "../payments/payouts/payouts";
import { Resource } from "./resource";

const LIST: FieldsOf<ListPayoutsInput> = { ...OPTIONAL_PAGE, status: "text" };
const ROWS: FieldsOf<ListPayoutRowsInput> = { ...OPTIONAL_PAGE, status: "text" };

/** Checks the form of a payout. */
export function checkPayoutInput(input: PayoutInput): void {
  checkInput(input, { rows: "object!", allowDuplicates: "flag" });
  if (!Array.isArray(input.rows)) {
    throw new HalcyonError("invalid_request", "rows is a list of payments.", { param: "rows" });
  }
  for (const row of input.rows) {
    checkInput(row, { to: "text!", amount: "amount!", asset: "text", memo: "text", reference: "text" });
  }
}

/** Many payments from one file: `halcyon.payouts`. With a home key, this machine builds them. */
export class PayoutsResource extends Resource {
  /**
   * Checks every row, pays them with one proof for up to 16 rows, and waits until all are final on chain or the payout
   * is paused (`pause_reason` says why). Call it again with the same `idempotencyKey` and rows to continue: no row is
   * ever paid twice.
   *
   * @example
   * const rows = [{ to: "@bob", amount: "25", reference: "wages-11-bob" }, { to: "@carol", amount: "30" }];
   * await halcyon.payouts.create({ rows }, { idempotencyKey: "wages-2026-11" });
   * // { payout_id: "po_…", status: "finished", rows: 2, rows_paid: 2, rows_failed: 0, … }
   * @throws HalcyonError `invalid_request` with every row's fault in `errors`, `insufficient_balance`, `key_forbidden`
   */
  async create(input: PayoutInput, options: PayoutOptions = {}): Promise<Payout> {
    checkPayoutInput(input);
    const context = this.context.within(options);
    if (!context.homeKey) return createPayout(context, input, options);
    return (await import("./lazy-calls")).createPayoutBlind(context, input, options);
  }

  /** Checks every row without paying. `faults` is empty if the payout would be accepted. */
  async check(input: PayoutInput, options?: CallOptions): Promise<PayoutCheck> {
    checkPayoutInput(input);
    const context = this.context.within(options);
    if (!context.homeKey) return checkPayout(context, input);
    return (await import("./lazy-calls")).checkPayoutBlind(context, input);
  }

  /** Returns a payout and its progress. */
  retrieve(payoutId: string, options?: CallOptions): Promise<Payout> {
    checkText("payoutId", payoutId);
    return getPayout(this.context.within(options), payoutId);
  }

  /** Lists the account's payouts, newest first. */
  list(input: ListPayoutsInput = {}, options?: CallOptions): Paged<PayoutList, Payout> {
    checkInput(input, LIST);
    return listPayouts(this.context.within(options), input);
  }

  /**
   * Lists the rows of a payout with their transfers, in file order. With `status: "failed"`, each row says why it
   * failed.
   */
  rows(payoutId: string, input: ListPayoutRowsInput = {}, options?: CallOptions): Paged<PayoutRowList, PayoutRow> {
    checkText("payoutId", payoutId);
    checkInput(input, ROWS);
    return listPayoutRows(this.context.within(options), payoutId, input);
  }

  /** Continues a payout that is paused or was interrupted, and waits as `create` does. */
  async resume(payoutId: string, options: PayoutOptions = {}): Promise<Payout> {
    checkText("payoutId", payoutId);
    const context = this.context.within(options);
    if (!context.homeKey) return resumePayout(context, payoutId, options);
    return (await import("./lazy-calls")).resumePayoutBlind(context, payoutId, options);
  }

  /** Cancels the rows that are not paid yet. Rows already sent settle as usual. */
  cancel(payoutId: string, options: CallOptions & { idempotencyKey?: string | undefined } = {}): Promise<Payout> {
    checkText("payoutId", payoutId);
    return cancelPayout(this.context.within(options), payoutId, options.idempotencyKey);
  }
}
