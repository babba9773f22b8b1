"use client";

import type { ReactNode } from "react";
import { AmountInput } from "@/components/money/amount-input";
import { ambiguity } from "@/components/money/typed-amount";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { POLICY_ASSETS, type PolicyAsset } from "@/lib/policy/amount-limits";
import { type Enforcer, enforcedBy, type PolicyRuleField } from "@/lib/policy/enforced-by";
import { type Contradictions, contradictionsIn } from "./contradictions";
import type { DraftProblems, LimitTexts, PolicyDraft } from "./draft";
import { EnforcedMark } from "./enforced-mark";
import { FurtherLimits } from "./further-limits";
import { HoursFields } from "./hours-fields";
import { RecipientsField } from "./recipients-field";

const USDG_PATHS = {
  daily: "daily_limit_usdg",
  per_transaction: "per_transaction_limit_usdg",
  hitl_threshold: "hitl_threshold_usdg",
};
const ETH_PATHS = {
  daily: "limits.ETH.daily",
  per_transaction: "limits.ETH.per_transaction",
  hitl_threshold: "limits.ETH.hitl_threshold",
};
const NO_ETH = { daily: "", per_transaction: "", hitl_threshold: "" };
const NOTHING: DraftProblems = {};

/** A section of the form, with who enforces its rules. */
function Part({ title, by, children }: { title: string; by: Enforcer; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-3 border-line border-t pt-5 first:border-t-0 first:pt-0">
      <legend className="sr-only">{title}</legend>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span aria-hidden="true" className="text-muted text-sm">
          {title}
        </span>
        <EnforcedMark by={by} />
      </p>
      {children}
    </fieldset>
  );
}

/**
 * The fields of a spend policy, with who enforces each and which limits contradict each other. What they mean together
 * stands beside the form (`PolicySentence`).
 */
export function PolicyEditor({
  draft,
  onDraft,
  problems,
  disabled,
}: {
  draft: PolicyDraft;
  onDraft: (draft: PolicyDraft) => void;
  problems: DraftProblems | null;
  disabled?: boolean;
}) {
  const wrong = problems ?? NOTHING;
  const contradictions = contradictionsIn(draft);
  const by = (field: PolicyRuleField) => enforcedBy(draft, field);
  const setAsset = (asset: PolicyAsset, allowed: boolean) => {
    const assets = POLICY_ASSETS.filter((symbol) => (symbol === asset ? allowed : draft.assets.includes(symbol)));
    // Limits of an asset that is not allowed would only confuse.
    const eth = assets.includes("ETH") ? (draft.eth ?? NO_ETH) : null;
    onDraft({ ...draft, assets, eth });
  };
  return (
    <div className="grid gap-5">
      <Part title="Limits in USDG" by={by("daily_limit_usdg")}>
        <LimitsFields
          asset="USDG"
          limits={draft.usdg}
          onLimits={(usdg) => onDraft({ ...draft, usdg })}
          problems={wrong}
          contradictions={contradictions}
          paths={USDG_PATHS}
          disabled={disabled}
        />
      </Part>
      <Part title="Whom it pays" by={by("allowed_recipients")}>
        <RecipientsField
          entries={draft.allowed_recipients}
          publicPayments={draft.public_payments}
          onEntries={(allowed_recipients) => onDraft({ ...draft, allowed_recipients })}
          problems={wrong}
          disabled={disabled}
        />
      </Part>
      <Part title="Public payments" by={by("public_payments")}>
        <Checkbox
          label="May pay sellers that only take public payments"
          hint="Sellers over HTTP 402 with the scheme exact. Anyone can see such a payment and its amount. While this is on, the chain enforces only the amount of any payment under this policy."
          checked={draft.public_payments}
          onChange={(public_payments) => onDraft({ ...draft, public_payments })}
          disabled={disabled}
        />
      </Part>
      <Part title="Further limits in USDG" by={by("monthly_limit_usdg")}>
        <FurtherLimits
          draft={draft}
          onDraft={onDraft}
          problems={wrong}
          contradictions={contradictions}
          disabled={disabled}
        />
      </Part>
      <Part title="When it pays" by={by("active_hours")}>
        <HoursFields
          hours={draft}
          onHours={(hours) => onDraft({ ...draft, ...hours })}
          problems={wrong}
          disabled={disabled}
        />
      </Part>
      <Part title="What it spends" by={by("assets")}>
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          {POLICY_ASSETS.map((asset) => (
            <Checkbox
              key={asset}
              label={`May spend ${asset}`}
              checked={draft.assets.includes(asset)}
              onChange={(allowed) => setAsset(asset, allowed)}
              disabled={disabled}
            />
          ))}
        </div>
        <p aria-live="polite" className="text-warning text-xs empty:hidden">
          {contradictions.assets}
        </p>
        {draft.assets.includes("ETH") && (
          <LimitsFields
            asset="ETH"
            limits={draft.eth ?? NO_ETH}
            onLimits={(eth) => onDraft({ ...draft, eth })}
            problems={wrong}
            contradictions={contradictions}
            paths={ETH_PATHS}
            disabled={disabled}
          />
        )}
      </Part>
    </div>
  );
}

/** The three limits of one asset. */
function LimitsFields({
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
