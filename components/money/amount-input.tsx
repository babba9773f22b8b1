"use client";

import type { ChangeEvent, ComponentProps, KeyboardEvent } from "react";
import { classNames } from "@/components/ui/class-names";
import { Input } from "@/components/ui/field";
import { enteredBy, readersComma, settledAmount, shownAmount, typedAmount } from "./typed-amount";

type Props = Omit<ComponentProps<"input">, "onChange" | "value" | "defaultValue"> & {
  /** As typed, without the grouping marks that the control shows. */
  amount: string;
  onAmount: (amount: string) => void;
};

/** A text control for an amount, grouped as it is typed. Leaving it or pressing Enter writes it as the API takes it. */
export function AmountText({ amount, onAmount, onBlur, className, ...rest }: Props) {
  const type = ({ target: input, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const next = typedAmount(input.value, amount, enteredBy(nativeEvent), readersComma());
    // Keeps the caret before the same digits when grouping marks change.
    const after = input.value.slice(input.selectionEnd ?? input.value.length).replaceAll(",", "").length;
    onAmount(next);
    requestAnimationFrame(() => {
      let at = input.value.length;
      for (let digits = 0; at > 0 && digits < after; at--) if (input.value[at - 1] !== ",") digits += 1;
      if (document.activeElement === input) input.setSelectionRange(at, at);
    });
  };
  const settle = () => {
    const settled = settledAmount(amount);
    if (settled !== amount) onAmount(settled);
  };
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={shownAmount(amount)}
      onChange={type}
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && settle()}
      onBlur={(event) => {
        settle();
        onBlur?.(event);
      }}
      className={classNames("tabular-nums", className)}
    />
  );
}

/** A control for an amount, followed by its asset. */
export function AmountInput({ asset, className, ...rest }: Props & { asset: string }) {
  return (
    <div className="relative">
      <AmountText {...rest} className={classNames("pr-16", className)} />
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-muted text-sm">
        {asset}
      </span>
    </div>
  );
}
