"use client";

import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { repeatCheck, useEarly } from "./early-input";

interface ToggleProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  name?: string;
}

/** A labelled native checkbox in the product's colors. Keeps a press from before the page's scripts had loaded. */
export function Checkbox({ label, hint, checked, onChange, disabled, name }: ToggleProps) {
  const id = useId();
  const box = useEarly<HTMLInputElement>(repeatCheck);
  return (
    <div className="flex gap-2.5">
      <span className="relative mt-0.5 grid size-4 shrink-0 place-items-center">
        <input
          ref={box}
          type="checkbox"
          // What a reload restores is no press.
          autoComplete="off"
          id={id}
          name={name}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer size-4 appearance-none rounded border border-line-strong bg-raised checked:border-accent checked:bg-accent disabled:opacity-50"
        />
        <Check
          size={12}
          strokeWidth={3}
          aria-hidden="true"
          className="pointer-events-none absolute text-accent-ink opacity-0 peer-checked:opacity-100"
        />
      </span>
      <div className="min-w-0 text-sm">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-pretty text-muted text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** A labelled switch that takes effect at once. */
export function Switch({ label, hint, checked, onChange, disabled, name }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 max-w-prose text-pretty text-muted">
            {hint}
          </p>
        )}
      </div>
      <span className="relative h-5.5 w-10 shrink-0">
        <input
          type="checkbox"
          role="switch"
          // What a reload restores is no press.
          autoComplete="off"
          data-early
          aria-checked={checked}
          id={id}
          name={name}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer absolute inset-0 appearance-none rounded-full bg-line-strong transition-colors checked:bg-accent disabled:opacity-50"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0.5 left-0.5 size-4.5 rounded-full bg-white shadow-raised transition-transform peer-checked:translate-x-4.5"
        />
      </span>
    </div>
  );
}
