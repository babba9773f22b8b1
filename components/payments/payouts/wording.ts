import { written } from "@/components/ui/amount";
import type { Tone } from "@/components/ui/badge";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";
import type { PayoutTotal } from "@/sdk/payments/payouts/payout-totals";

export const PAYOUT_STATUS: Record<PayoutResource["status"], { name: string; tone: Tone }> = {
  processing: { name: "Processing", tone: "warning" },
  paused: { name: "Paused", tone: "warning" },
  finished: { name: "Finished", tone: "success" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

export const ROW_STATUS: Record<string, { name: string; tone: Tone }> = {
  pending: { name: "To be paid", tone: "neutral" },
  sent: { name: "On the way", tone: "warning" },
  paid: { name: "Paid", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

const REASONS: Record<string, string> = {
  insufficient_balance: "The available balance does not cover the next rows. Make money available, then continue.",
  unauthorized: "The API key that paid it was revoked. Continue here, or with another key.",
  key_forbidden: "Its API key may no longer pay it: it has limits, or its signing key has expired. Continue here.",
  kyc_required: "Verify your identity under Settings, then continue.",
  sync_required: "The available balance changed on chain without the service. Sync it, then continue.",
};

/** Returns why a payout waits. */
export function pauseReason({ pause_reason }: PayoutResource): string {
  if (pause_reason === null)
    return "Nothing is processing it now. Continue here, or repeat the request with its API key.";
  return REASONS[pause_reason] ?? `The next rows were refused with ${pause_reason}. Continue to try again.`;
}

/**
 * Returns how many payments a payout makes, in words.
 *
 * @param counted writes a count in the reader's language
 */
export function paymentsIn({ rows }: Pick<PayoutResource, "rows">, counted: (rows: number) => string): string {
  return rows === 1 ? "1 payment" : `${counted(rows)} payments`;
}

/**
 * Returns what a payout is about to pay, in words: "Pay 112 USDG to 2 people in 8 payments".
 *
 * @param totals as `payoutTotals` returns them for a file without faults
 */
export function payoutInWords(
  { totals, people, rows }: { totals: readonly PayoutTotal[]; people: number; rows: number },
  counted: (rows: number) => string,
): string {
  const sum = totals.map(({ asset, amount }) => `${amount === null ? "?" : written(amount)} ${asset}`).join(" and ");
  const whom = people === 1 ? "1 person" : `${counted(people)} people`;
  return `Pay ${sum} to ${whom} in ${paymentsIn({ rows }, counted)}`;
}

/** Returns how many recipients of a payout this browser has not paid before, in words. */
export function newInWords({ people, unpaid }: { people: number; unpaid: number }, counted: (n: number) => string) {
  if (unpaid === 0)
    return people === 1 ? "You have paid them from this browser before." : "None is new in this browser.";
  const who =
    unpaid === people
      ? people === 1
        ? "This recipient is"
        : "All are"
      : unpaid === 1
        ? "1 is"
        : `${counted(unpaid)} are`;
  return `${who} new in this browser. Check whom your file names before you pay.`;
}

/**
 * Returns the progress of a payout in words.
 *
 * @param counted writes a count in the reader's language
 */
export function progressOf(
  { rows, rows_paid, rows_failed, rows_cancelled }: PayoutResource,
  counted: (rows: number) => string,
): string {
  const rest = [
    ...(rows_failed > 0 ? [`${counted(rows_failed)} failed`] : []),
    ...(rows_cancelled > 0 ? [`${counted(rows_cancelled)} cancelled`] : []),
  ];
  return [`${counted(rows_paid)} of ${counted(rows)} paid`, ...rest].join(" · ");
}
