import { type Asset, assetsOf } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { ApiError, type ErrorCode } from "@/lib/base/errors";
import { RecipientInput } from "@/lib/base/inputs";
import { faultOfAmount, InvalidAmount, parseAmount } from "@/lib/base/money";
import { ReferenceInput } from "@/lib/payments/details/payment-details";
import type { Receiver } from "@/lib/payments/find-receiver";
import { findPayee } from "@/lib/payments/relay-batch";
import { MemoInput } from "@/lib/payments/schema";
import type { PayoutRowText } from "./schema";

/** What is wrong with a row, or with the payout as a whole if `row` is null. Never contains a value of the row. */
export interface PayoutFault {
  /** Row number, from 1. */
  row: number | null;
  param: keyof PayoutRowText | "rows";
  code: ErrorCode | "duplicate";
  message: string;
}

/** A row that can be paid. */
export interface CheckedRow {
  /** Row number, from 1. */
  row: number;
  to: string;
  receiver: Receiver;
  asset: Asset;
  amount: bigint;
  memo?: string;
  reference?: string;
}

/** How many recipients are looked up at a time. */
const AT_ONCE = 8;

/**
 * Checks each row of a payout on its own and against the others. Does not check the balance.
 *
 * @throws ApiError `unavailable` when the chain can't be read
 */
export async function checkRows(
  ctx: Context,
  texts: readonly PayoutRowText[],
  { allowDuplicates }: { allowDuplicates: boolean },
): Promise<{ rows: CheckedRow[]; faults: PayoutFault[] }> {
  const faults: PayoutFault[] = [];
  const found = await findRowReceivers(
    ctx,
    texts.map(({ to }) => to),
  );
  const rows: CheckedRow[] = [];
  const seen = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    const row = index + 1;
    const before = faults.length;
    const fault = (param: PayoutFault["param"], message: string, code: PayoutFault["code"] = "invalid_request") =>
      faults.push({ row, param, code, message });
    const receiver = found.get(text.to);
    if (!receiver) fault("to", "Name the recipient: an @handle or a 0x address.");
    else if (receiver instanceof ApiError) fault("to", receiver.publicMessage, receiver.code);
    const asset = assetsOf(ctx.chainId).find(({ symbol }) => symbol === (text.asset ?? "USDG"));
    if (!asset) fault("asset", 'This asset is not offered. Use "USDG" or "ETH".');
    const amount = asset ? amountOf(text.amount, asset) : 0n;
    if (typeof amount === "string") fault("amount", amount);
    const memo = MemoInput.optional().safeParse(text.memo);
    if (!memo.success) fault("memo", memo.error.issues[0]?.message ?? "A memo is a text.");
    const reference = ReferenceInput.optional().safeParse(text.reference);
    if (!reference.success) fault("reference", reference.error.issues[0]?.message ?? "A reference is a text.");
    if (faults.length > before || !receiver || receiver instanceof ApiError || !asset || typeof amount === "string") {
      continue;
    }
    const same = `${receiver.recipient.address}/${asset.symbol}/${amount}/${reference.data ?? ""}`;
    const first = seen.get(same);
    if (first !== undefined && !allowDuplicates) {
      const message = `This row has the recipient, asset, amount and reference of row ${first}. Remove it, or allow duplicates.`;
      fault("to", message, "duplicate");
      continue;
    }
    seen.set(same, first ?? row);
    rows.push({ row, to: text.to, receiver, asset, amount, memo: text.memo, reference: reference.data });
  }
  return { rows, faults };
}

function amountOf(text: string, asset: Asset): bigint | string {
  try {
    return parseAmount(text, asset.decimals);
  } catch (error) {
    if (error instanceof InvalidAmount) return faultOfAmount(text, asset.decimals);
    throw error;
  }
}

/**
 * Returns the recipient of each `to`, or the error that says why it can't be paid. Texts that are neither a handle nor
 * an address are left out.
 */
export async function findRowReceivers(
  ctx: Context,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Receiver | ApiError>> {
  const names = [...new Set(texts)].filter((to) => RecipientInput.safeParse(to).success);
  const found = new Map<string, Receiver | ApiError>();
  const work = async () => {
    for (let to = names.pop(); to !== undefined; to = names.pop()) {
      const receiver = await findPayee(ctx, to, 0).catch((error) => {
        if (error instanceof ApiError && isForGood(error)) return error;
        throw error;
      });
      found.set(to, receiver);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** Reports whether an error is about the recipient. Others mean that the service can't find out at the moment. */
export function isForGood({ code }: ApiError): boolean {
  return code === "recipient_not_found" || code === "recipient_not_confidential_ready" || code === "invalid_request";
}
