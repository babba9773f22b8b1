import { decimalsOf } from "@/components/money/decimals-of";
import { sumOf } from "@/components/money/units";
import { type ActToSign, actToSign } from "@/components/wallet/signing-for";
import type { PayoutBatch } from "@/sdk/payments/payouts/pay-by-wallet";

/** How many recipients the dialog names. */
const NAMED = 3;

/**
 * Returns what the next signature of a payout pays, for the wallet's dialog if the account's keys have limits: each
 * signature pays one batch, not the whole payout.
 */
export function batchToSign({ batch, batches, asset, payments }: PayoutBatch): ActToSign {
  const amount = sumOf(
    payments.map((payment) => payment.amount),
    decimalsOf(asset),
  );
  const names = payments.slice(0, NAMED).map(({ to }) => to);
  const others = payments.length - names.length;
  const to = `${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const { types, facts } = actToSign("send", { amount, asset, to });
  if (payments.length === 1 && batches === 1) return { types, facts };
  const place = { name: "Batch", value: batches === undefined ? `${batch + 1}` : `${batch + 1} of ${batches}` };
  const count = { name: "Payments", value: String(payments.length) };
  const together = facts.map((fact) =>
    fact.name === "Amount" && payments.length > 1 ? { ...fact, value: `${fact.value} together` } : fact,
  );
  return { types, facts: [...(batches === 1 ? [] : [place]), count, ...together] };
}
