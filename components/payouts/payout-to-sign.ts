import { sumOf } from "@/components/money/units";
import { decimalsOf } from "@/components/policy/decimals-of";
import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { type ActToSign, actToSign } from "@/components/wallet/signing-for";

/** What is left to pay of a payout, for the wallet's signatures where the account's keys have limits. */
export function payoutToSign(rows: readonly ShownPayoutRow[]): ActToSign {
  const open = rows.filter(({ status }) => status === "pending");
  const amounts = new Map<string, string[]>();
  for (const { asset, amount } of open) {
    if (asset === null || amount === null) continue;
    amounts.set(asset, [...(amounts.get(asset) ?? []), amount]);
  }
  const to = open.length === 1 ? (open[0]?.to ?? undefined) : `${open.length} recipients, together`;
  const { types, facts } = actToSign("send", { to });
  const totals = [...amounts].map(([asset, list], at) => ({
    name: at === 0 ? "Amount" : `Amount in ${asset}`,
    value: `${sumOf(list, decimalsOf(asset))} ${asset}`,
  }));
  return { types, facts: [...totals, ...facts] };
}
