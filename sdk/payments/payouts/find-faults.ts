import { type Decimals, faultOfAmount, InvalidAmount, parseAmount } from "@/lib/base/money";
import { isReference, normalReference } from "@/lib/ledger/plain-text";
import type { PayoutCheck, PayoutRowInput } from "../../api/resources/payouts";

/** A fault of one row, or of all rows together (`row` is null). */
export type PayoutFault = PayoutCheck["faults"][number];

/** The service's result for a recipient's name. Amounts stay on this machine. */
export interface CheckedName {
  to: string;
  address: string | null;
  fault: { code: string; message: string } | null;
}

const MEMO_BYTES = 512;

interface Known {
  names: readonly CheckedName[];
  assets: readonly { symbol: string; decimals: Decimals }[];
  allowDuplicates: boolean;
  /** The available units by asset. Assets that are missing here are not checked. */
  available: ReadonlyMap<string, bigint>;
}

/**
 * Finds every fault of a payout that its client pays. These are the same checks that the service makes for a payout it
 * pays.
 */
export function findFaults(rows: readonly PayoutRowInput[], known: Known): PayoutFault[] {
  const faults: PayoutFault[] = [];
  const nameOf = new Map(known.names.map((name) => [name.to, name]));
  const seen = new Map<string, number>();
  const totals = new Map<string, bigint>();
  for (const [index, { to, amount, asset: symbol = "USDG", memo = "", reference }] of rows.entries()) {
    const row = index + 1;
    const fault = (param: PayoutFault["param"], message: string, code = "invalid_request") =>
      faults.push({ row, param, code, message });
    const name = nameOf.get(to);
    if (name?.fault) fault("to", name.fault.message, name.fault.code);
    const asset = known.assets.find((one) => one.symbol === symbol);
    if (!asset) fault("asset", 'This asset is not offered. Use "USDG" or "ETH".');
    const units = asset && unitsOf(amount, asset.decimals);
    if (typeof units === "string") fault("amount", units);
    if (new TextEncoder().encode(memo).length > MEMO_BYTES || /\p{Surrogate}/u.test(memo)) {
      fault("memo", `A memo has at most ${MEMO_BYTES} bytes of UTF-8.`);
    }
    if (reference !== undefined && !isReference(normalReference(reference))) {
      fault("reference", "A reference is one line of 1 to 64 characters, none of them invisible.");
    }
    if (typeof units !== "bigint" || !name?.address) continue;
    totals.set(symbol, (totals.get(symbol) ?? 0n) + units);
    const same = `${name.address}/${symbol}/${units}/${normalReference(reference ?? "")}`;
    const first = seen.get(same);
    if (first !== undefined && !known.allowDuplicates) {
      const message = `This row has the recipient, asset, amount and reference of row ${first}. Remove it, or allow duplicates.`;
      fault("to", message, "duplicate");
    }
    seen.set(same, first ?? row);
  }
  for (const [symbol, total] of totals) {
    const available = known.available.get(symbol);
    if (available === undefined || total <= available) continue;
    const message = `The available ${symbol} balance does not cover the total of the rows. Make money available first.`;
    faults.push({ row: null, param: "rows", code: "insufficient_balance", message });
  }
  return faults;
}

function unitsOf(amount: string, decimals: Decimals): bigint | string {
  try {
    return parseAmount(amount, decimals);
  } catch (error) {
    if (error instanceof InvalidAmount) return faultOfAmount(amount, decimals);
    throw error;
  }
}
