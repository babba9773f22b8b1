"use client";

import { AmountField } from "./amount-field";
import { AvailableHint } from "./available-hint";
import { allOf } from "./units";
import type { Submission, useSpentAmount } from "./use-available-amount";

/**
 * The field for an amount that is paid from an available balance. Shows that balance and whether it is enough.
 *
 * @param agent its handle, if the balance is an agent's
 * @param all the label of the button that fills in the whole balance; no button if left out
 */
export function SpentAmountField({
  from: { field, available, asset, opened, wrong, short },
  form,
  agent,
  all,
  disabled,
}: {
  from: ReturnType<typeof useSpentAmount>;
  form: Submission;
  agent?: string;
  all?: string;
  disabled: boolean;
}) {
  return (
    <AmountField
      {...field}
      hint={<AvailableHint available={available} asset={asset} agent={agent} waiting={opened?.notesTotal} />}
      problem={wrong ?? short}
      error={form.checked && !disabled ? (wrong ?? short) : undefined}
      shortcuts={all ? allOf(available, all) : []}
      disabled={disabled}
    />
  );
}
