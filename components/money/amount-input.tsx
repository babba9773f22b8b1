"use client";

import {
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { flushSync } from "react-dom";
import { classNames } from "@/components/ui/class-names";
import { Input } from "@/components/ui/field";
import { enteredBy, readersComma, settledAmount, shownAmount, typedAmount } from "./typed-amount";

type Props = Omit<ComponentProps<"input">, "onChange" | "value" | "defaultValue" | "ref"> & {
  ref?: RefObject<HTMLInputElement | null> | undefined;
  /** As typed, without the grouping marks that the control shows. */
  amount: string;
  onAmount: (amount: string) => void;
};

/** A text control for an amount, grouped as it is typed. Leaving it or pressing Enter writes it as the API takes it. */
export function AmountText({ amount, onAmount, onBlur, className, ref, ...rest }: Props) {
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  const shown = shownAmount(amount);
  const adopt = useEffectEvent((text: string) => onAmount(typedAmount(text, "", null, readersComma())));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before the page could hear it
  useLayoutEffect(() => {
    const text = input.current?.value ?? "";
    // Each is rendered before the next is taken over, because the fields of a form share its state.
    if (text !== shown) queueMicrotask(() => flushSync(() => adopt(text)));
  }, []);
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
      ref={input}
      value={shown}
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
