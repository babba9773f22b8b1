"use client";

import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";

interface ToggleProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  name?: string;
}

/** A labelled checkbox. */
export function Checkbox({ label, hint, checked, onChange, disabled, name }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <Base.Root
        checked={checked}
        onCheckedChange={(value) => onChange(value)}
        disabled={disabled}
        name={name}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        id={id}
        className="mt-0.5 grid size-4 shrink-0 place-items-center rounded border border-line-strong bg-raised text-accent-ink data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Base.Indicator>
          <Check size={12} strokeWidth={3} aria-hidden="true" />
        </Base.Indicator>
      </Base.Root>
      <div className="min-w-0 text-sm">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-pretty text-muted text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** A labelled switch: takes effect at once. */
export function Switch({ label, hint, checked, onChange, disabled, name }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0 text-sm">
        <label htmlFor={id} id={`${id}-label`} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 max-w-prose text-pretty text-muted">
            {hint}
          </p>
        )}
      </div>
      <BaseSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={(value) => onChange(value)}
        disabled={disabled}
        name={name}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="flex h-5.5 w-10 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-4.5 rounded-full bg-white shadow-raised transition-transform data-checked:translate-x-4.5" />
      </BaseSwitch.Root>
    </div>
  );
}
