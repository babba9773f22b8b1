"use client";

import { type ComponentProps, useState } from "react";
import { Field } from "@/components/ui/field";
import { AmountInput } from "./amount-input";

/** A labelled field for an amount of one asset. */
export function AmountEntry({
  label,
  hint,
  optional,
  error,
  problem,
  className,
  ...input
}: Omit<ComponentProps<typeof AmountInput>, "onBlur"> &
  Pick<ComponentProps<typeof Field>, "label" | "hint" | "optional" | "error"> & {
    /** What is wrong with the current amount. Shown once the field loses focus with text in it. */
    problem?: string;
    /** Of the control. */
    className?: string;
  }) {
  const [left, setLeft] = useState(false);
  const { amount, onAmount } = input;
  return (
    <Field label={label} hint={hint} optional={optional} error={error ?? (left && amount !== "" ? problem : undefined)}>
      {(control) => (
        <div className={className}>
          <AmountInput
            {...control}
            {...input}
            onAmount={(next) => {
              onAmount(next);
              setLeft(false);
            }}
            // An error that appears as a button is pressed would move the button away from under the pointer.
            onBlur={({ relatedTarget }) => setLeft(!(relatedTarget instanceof HTMLButtonElement))}
          />
        </div>
      )}
    </Field>
  );
}
