"use client";

import type { ReactNode, RefObject } from "react";
import { Field, Input, Select } from "@/components/ui/field";
import type { AssetFacts } from "./asset-facts";

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
  /** Amounts taken by a button. */
  shortcuts?: { label: string; amount: string }[];
  disabled?: boolean;
  /** To put the focus there. */
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              ref={inputRef}
              inputMode="decimal"
              autoComplete="off"
              placeholder="0.00"
              value={amount}
              onChange={(event) => onAmount(event.target.value.trim())}
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
