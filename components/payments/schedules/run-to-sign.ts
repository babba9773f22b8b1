import { decimalsOf } from "@/components/money/decimals-of";
import { sumOf } from "@/components/money/units";
import type { ShownTerms } from "@/components/vault/methods/schedules";
import { type ActToSign, actToSign } from "@/components/wallet/signing-for";
import type { ScheduleRun } from "@/sdk/api/resources/schedules";

/**
 * Returns what a run pays, for the wallet's signature if it exceeds the limits of the account's keys. Has no facts if
 * the schedule was not decrypted.
 */
export function runToSign(terms: ShownTerms | null | undefined, { date }: Pick<ScheduleRun, "date">): ActToSign {
  const part = terms?.parts.findLast(({ from }) => from <= date);
  if (!part) return { types: [], facts: [] };
  const { payments, asset } = part;
  const amounts = payments.map(({ amount }) => amount);
  const to = payments.length === 1 ? payments[0]?.to : `${payments.length} recipients, together`;
  return actToSign("send", { amount: sumOf(amounts, decimalsOf(asset)), asset, to });
}
