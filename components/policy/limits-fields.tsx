"use client";

import { AmountInput, Field } from "@/components/ui/field";
import type { Contradictions } from "./contradictions";
import type { DraftProblems, LimitTexts } from "./draft";

/** The three bounds of one asset. */
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
  /** Where the API has each bound. */
  paths: Record<keyof LimitTexts, string>;
  disabled?: boolean;
}) {
  const field = (name: keyof LimitTexts, label: string, hint: string) => (
    <Field label={label} hint={hint} error={problems[paths[name]]} warning={contradictions[paths[name]]}>
      {(control) => (
        <AmountInput
          {...control}
          asset={asset}
          value={limits[name]}
          onChange={(event) => onLimits({ ...limits, [name]: event.target.value.trim() })}
          disabled={disabled}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {field("daily", "A day", "Most in one calendar day.")}
      {field("per_transaction", "At a time", "Most in one payment.")}
      {field("hitl_threshold", "Ask me above", "Larger payments wait for you.")}
    </div>
  );
}
