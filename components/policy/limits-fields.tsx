"use client";

import { AmountInput } from "@/components/money/amount-input";
import { ambiguity } from "@/components/money/typed-amount";
import { Field } from "@/components/ui/field";
import type { Contradictions } from "./contradictions";
import type { DraftProblems, LimitTexts } from "./draft";

/** The three limits of one asset. */
export function LimitsFields({
  asset,
  limits,
  onLimits,
  problems,
  contradictions,
  paths,
  disabled,
}: {
  asset: string;
  limits: LimitTexts;
  onLimits: (limits: LimitTexts) => void;
  problems: DraftProblems;
  contradictions: Contradictions;
  /** The path of each limit in the API's body. */
  paths: Record<keyof LimitTexts, string>;
  disabled?: boolean;
}) {
  const field = (name: keyof LimitTexts, label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      error={ambiguity(limits[name]) ?? problems[paths[name]]}
      warning={contradictions[paths[name]]}
    >
      {(control) => (
        <AmountInput
          {...control}
          asset={asset}
          amount={limits[name]}
          onAmount={(amount) => onLimits({ ...limits, [name]: amount })}
          disabled={disabled}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {field("daily", "Per day", "The most in one calendar day.")}
      {field("per_transaction", "Per payment", "The most in one payment.")}
      {field("hitl_threshold", "Ask me above", "Larger payments wait for you.")}
    </div>
  );
}
