"use client";

import { Plus, X } from "lucide-react";
import { AmountInput } from "@/components/money/amount-input";
import { ambiguity } from "@/components/money/typed-amount";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { SERVICE, WORDS } from "@/lib/policy/rules";
import type { Contradictions } from "./contradictions";
import { type DraftProblems, OPTIONAL_FIELDS, type PolicyDraft, type RecipientLimitTexts } from "./draft";

const NEW_LIMIT: RecipientLimitTexts = { recipient: "", per_transaction: "", monthly: "" };

/** Optional limits: per month, on the number of payments, and per recipient. */
export function FurtherLimits({
  draft,
  onDraft,
  problems,
  contradictions,
  disabled,
}: {
  draft: PolicyDraft;
  onDraft: (draft: PolicyDraft) => void;
  problems: DraftProblems;
  contradictions: Contradictions;
  disabled?: boolean;
}) {
  const { recipient_limits: limits } = draft;
  const setLimits = (recipient_limits: RecipientLimitTexts[]) => onDraft({ ...draft, recipient_limits });
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {OPTIONAL_FIELDS.map((field) => {
          const text = draft.optional[field];
          const onText = (changed: string) => onDraft({ ...draft, optional: { ...draft.optional, [field]: changed } });
          const isMoney = SERVICE[field].kind === "optional money";
          return (
            <Field
              key={field}
              label={WORDS[field].label}
              hint={WORDS[field].hint}
              error={(isMoney ? ambiguity(text) : undefined) ?? problems[field]}
              warning={contradictions[field]}
              optional
            >
              {(control) =>
                isMoney ? (
                  <AmountInput {...control} asset="USDG" amount={text} onAmount={onText} disabled={disabled} />
                ) : (
                  <Input
                    {...control}
                    inputMode="numeric"
                    value={text}
                    onChange={(event) => onText(event.target.value.trim())}
                    disabled={disabled}
                  />
                )
              }
            </Field>
          );
        })}
      </div>
      {limits.map((limit, index) => (
        <RecipientLimit
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name while they are typed
          key={index}
          place={`recipient_limits.${index}`}
          limit={limit}
          onLimit={(changed) => setLimits(limits.map((each, place) => (place === index ? changed : each)))}
          onRemove={() => setLimits(limits.filter((_, place) => place !== index))}
          problems={problems}
          contradictions={contradictions}
          disabled={disabled}
        />
      ))}
      {problems.recipient_limits && <p className="text-danger text-xs">{problems.recipient_limits}</p>}
      <div>
        <Button data-early size="small" onClick={() => setLimits([...limits, NEW_LIMIT])} disabled={disabled}>
          <Plus size={14} aria-hidden="true" />
          Limit a recipient
        </Button>
      </div>
    </div>
  );
}

function RecipientLimit({
  place,
  limit,
  onLimit,
  onRemove,
  problems,
  contradictions,
  disabled,
}: {
  place: string;
  limit: RecipientLimitTexts;
  onLimit: (limit: RecipientLimitTexts) => void;
  onRemove: () => void;
  problems: DraftProblems;
  contradictions: Contradictions;
  disabled?: boolean;
}) {
  const amount = (name: "per_transaction" | "monthly", label: string) => (
    <Field
      label={label}
      error={ambiguity(limit[name]) ?? problems[`${place}.${name}_limit_usdg`]}
      warning={contradictions[`${place}.${name}_limit_usdg`]}
    >
      {(control) => (
        <AmountInput
          {...control}
          asset="USDG"
          amount={limit[name]}
          onAmount={(amount) => onLimit({ ...limit, [name]: amount })}
          disabled={disabled}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-x-4 gap-y-2 rounded-lg border border-line p-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]">
      <Field
        label="To"
        error={problems[`${place}.recipient`] ?? problems[place]}
        warning={contradictions[`${place}.recipient`]}
      >
        {(control) => (
          <Input
            {...control}
            value={limit.recipient}
            onChange={(event) => onLimit({ ...limit, recipient: event.target.value })}
            placeholder="@seller, 0x… or *"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
          />
        )}
      </Field>
      {amount("per_transaction", "Per payment")}
      {amount("monthly", "Per month")}
      <button
        type="button"
        aria-label={`Remove the limit of ${limit.recipient || "this recipient"}`}
        onClick={onRemove}
        disabled={disabled}
        className="grid size-9 place-items-center self-start rounded-md text-muted hover:text-ink sm:mt-6.5 pointer-coarse:size-11"
      >
        <X size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
