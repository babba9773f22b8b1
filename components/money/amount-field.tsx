"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import type { AssetFacts } from "./asset-facts";

/** An amount and its asset side by side, what there is below, and a button that takes it all. */
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
}) {
  return (
    <div className="grid gap-2">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
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
        <div className="flex flex-wrap gap-2">
          {shortcuts.map((shortcut) => (
            <Button key={shortcut.label} size="small" onClick={() => onAmount(shortcut.amount)} disabled={disabled}>
              {shortcut.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
