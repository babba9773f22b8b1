"use client";

import { type ReactNode, type RefObject, useState } from "react";
import { Field, Select } from "@/components/ui/field";
import { AmountText } from "./amount-input";
import type { AssetFacts } from "./asset-facts";

/** A field for an amount and its asset, with a hint below and buttons that fill it in. */
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
  /** What is wrong with the current amount. Shown once the field loses focus. */
  problem?: string;
  /** Amounts that a button fills in. */
  shortcuts?: { label: string; amount: string }[];
  disabled?: boolean;
  /** For focusing the input. */
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  // Errors show only after the field lost focus with text in it, so that no one is corrected while typing.
  const [left, setLeft] = useState(false);
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error ?? (left && amount !== "" && !disabled ? problem : undefined)}>
        {(control) => (
          <div className="flex gap-2">
            <AmountText
              {...control}
              ref={inputRef}
              placeholder="0.00"
              amount={amount}
              onAmount={(next) => {
                onAmount(next);
                setLeft(false);
              }}
              // Don't show the error if the focus moves to a button: it would move away from under the pointer. The
              // button's action checks by itself.
              onBlur={({ relatedTarget }) => setLeft(!(relatedTarget instanceof HTMLButtonElement))}
              disabled={disabled}
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
