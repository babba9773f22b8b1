import { formatAmount } from "@/lib/base/money";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import type { Context } from "../context/context";
import type { ReadingProgress } from "../statements/chain-history";
import { type ReadMovement, readMovements } from "../statements/read-movements";
import type { StatementInput } from "../statements/statement-input";
import { challengeBinding } from "./challenge";
import { readSoldMemo, type Sold } from "./sold-memo";

/** What one resource has earned in one asset. */
export interface ResourceEarnings {
  /** In upper case, such as `GET`. */
  method: string;
  /** The resource's URL without the query string. */
  resource: string;
  asset: string;
  payments: number;
  /** The total of the payments, as a decimal string. */
  amount: string;
}

/** What was sold over HTTP 402 in a period. */
export interface Earnings {
  /** Sorted by asset, then by amount, highest first. */
  resources: ResourceEarnings[];
  /** Number of payments whose memo names a resource that their binding does not confirm. They are in no total. */
  unconfirmed: number;
}

interface Sale extends Sold {
  asset: string;
  units: bigint;
}

/**
 * Returns what each resource earned over HTTP 402 in a period. Reads the received payments from the chain, decrypts
 * them on this machine, and groups them by the resource in their memo. The payer writes the memo, so a payment counts
 * only if its binding confirms it.
 *
 * @throws HalcyonError like `statements.create`
 */
export async function earnings(
  context: Context,
  input: StatementInput,
  reading: ReadingProgress = {},
): Promise<Earnings> {
  const [scope, { assets }] = await Promise.all([context.scope(), context.info()]);
  const { movements } = await readMovements(context, input, reading);
  const sales: Sale[] = [];
  let unconfirmed = 0;
  for (const { type, memo, entry, holder, amount } of movements) {
    const sold = type === "received" ? readSoldMemo(memo) : null;
    const asset = assets.find(({ address }) => address === entry.asset.toLowerCase());
    if (!sold || !asset || amount === null) continue;
    const terms = { scope, payTo: holder as ReadMovement["entry"]["asset"], asset: asset.address, ...sold };
    const binding = challengeBinding({ ...terms, amount: amount * asset.unit });
    if (entry.binding && equalBytes(entry.binding, binding))
      sales.push({ ...sold, asset: asset.symbol, units: amount });
    else unconfirmed += 1;
  }
  const decimals = new Map(assets.map((asset) => [asset.symbol, asset.decimals]));
  const resources = summed(sales).map(({ units, ...sum }) => ({
    ...sum,
    amount: formatAmount(units, decimals.get(sum.asset) ?? 6),
  }));
  return { resources, unconfirmed };
}

function summed(sales: readonly Sale[]) {
  const sums = new Map<string, { method: string; resource: string; asset: string; payments: number; units: bigint }>();
  for (const { method, resource: url, asset, units } of sales) {
    const resource = url.replace(/[?#].*$/, "");
    const key = [method, resource, asset].join("\n");
    const sum = sums.get(key) ?? { method, resource, asset, payments: 0, units: 0n };
    sums.set(key, { ...sum, payments: sum.payments + 1, units: sum.units + units });
  }
  return [...sums.values()].sort(
    (a, b) => a.asset.localeCompare(b.asset) || Number(b.units - a.units > 0n) - Number(b.units - a.units < 0n),
  );
}
