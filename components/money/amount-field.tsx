"use client";

import { type ChangeEvent, type ReactNode, type RefObject, useState } from "react";
import { Field, Input, Select } from "@/components/ui/field";
import type { AssetFacts } from "./asset-facts";
import { enteredBy, settledAmount, shownAmount, typedAmount } from "./typed-amount";

/** An amount and its asset side by side, what there is below, and buttons that fill it in. */
export function AmountField({
  label = "Amount",
  amount,
  onAmount,
  asset,
  onAsset,
  assets,
  hint,
  error,
  problem,
  shortcuts = [],
  disabled,
  inputRef,
}: {
  label?: string;
  amount: string;
  onAmount: (amount: string) => void;
  asset: string;
  onAsset: (asset: string) => void;
  assets: readonly Pick<AssetFacts, "symbol">[];
  hint?: ReactNode;
  error?: string;
  /** What is wrong with the amount as it stands: said as soon as the field is left. */
  problem?: string;
  /** Amounts taken by a button. */
  shortcuts?: { label: string; amount: string }[];
  disabled?: boolean;
  /** To put the focus there. */
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  // Said once the field was left with something in it: no one is corrected while they type.
  const [left, setLeft] = useState(false);
  const type = ({ target: input, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const next = typedAmount(input.value, amount, enteredBy(nativeEvent));
    // The caret stays before the same digits, whatever is grouped again.
    const after = input.value.slice(input.selectionEnd ?? input.value.length).replaceAll(",", "").length;
    onAmount(next);
    setLeft(false);
    requestAnimationFrame(() => {
      let at = input.value.length;
      for (let digits = 0; at > 0 && digits < after; at--) if (input.value[at - 1] !== ",") digits += 1;
      if (document.activeElement === input) input.setSelectionRange(at, at);
    });
  };
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error ?? (left && amount !== "" && !disabled ? problem : undefined)}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              ref={inputRef}
              inputMode="decimal"
              autoComplete="off"
              placeholder="0.00"
              value={shownAmount(amount)}
              onChange={type}
              onBlur={({ relatedTarget }) => {
                onAmount(settledAmount(amount));
                // A button that is being pressed must not move away below the pointer; what it does checks by itself.
                setLeft(!(relatedTarget instanceof HTMLButtonElement));
              }}
              disabled={disabled}
              className="tabular-nums"
            />
            <div className="w-28 shrink-0">
              <Select
                aria-label="Asset"
                value={asset}
                onChange={(event) => onAsset(event.target.value)}
                disabled={disabled}
              >
                {assets.map(({ symbol }) => (
                  <option key={symbol}>{symbol}</option>
                ))}
              </Select>
            </div>
          </div>
        )}
      </Field>
      {shortcuts.length > 0 && (
        <div className="absolute top-0 right-0 flex gap-4 text-sm pointer-coarse:-top-3">
          {shortcuts.map((shortcut) => (
            <button
              key={shortcut.label}
              type="button"
              onClick={() => onAmount(shortcut.amount)}
              disabled={disabled}
              className="font-medium text-accent hover:underline disabled:opacity-50 pointer-coarse:h-11"
            >
              {shortcut.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
