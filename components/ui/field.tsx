"use client";

import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names";
import { repeatChoice, repeatText, useEarly } from "./early-input";

const CONTROL =
  "w-full rounded-lg border border-line-strong bg-raised text-ink shadow-raised transition-colors placeholder:text-faint " +
  "hover:border-faint focus-visible:border-accent focus-visible:outline-offset-0 disabled:opacity-60 " +
  "aria-invalid:border-danger text-base sm:text-sm";

/** The classes of a one-line control. */
const inputClass = classNames(CONTROL, "h-9 px-3 pointer-coarse:h-11");

/** The attributes that connect a control with its label, hint and error. */
interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/**
 * A labelled control with a hint and an error. The error is announced when it appears.
 *
 * @param warning says that a valid value conflicts with others, or that it is not known whether it was set; shown while
 *   there is no error
 * @param children renders the control with the attributes that connect it
 */
export function Field({
  label,
  hint,
  error,
  warning,
  optional = false,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  warning?: ReactNode;
  optional?: boolean;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const describedBy = classNames(hint ? `${id}-hint` : null, error || warning ? `${id}-error` : null) || undefined;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
        {optional && <span className="ml-1.5 font-normal text-faint">optional</span>}
      </label>
      {children({ id, "aria-describedby": describedBy, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-pretty text-muted text-xs">
          {hint}
        </p>
      )}
      <p
        id={`${id}-error`}
        aria-live="polite"
        className={classNames("text-pretty text-xs empty:hidden", error ? "text-danger" : "text-warning")}
      >
        {error || warning}
      </p>
    </div>
  );
}

/** A one-line text control. Keeps what was typed before the page's scripts had loaded, like the others here. */
export function Input({ className, ref, ...rest }: ComponentProps<"input">) {
  const own = useEarly<HTMLInputElement>(repeatText, rest.value !== undefined, ref);
  return <input {...rest} ref={own} className={classNames(inputClass, className)} />;
}

/** A multi-line text control. Where it is rendered with a text, React puts that in place of one typed early. */
export function TextArea({ className, ref, ...rest }: ComponentProps<"textarea">) {
  const own = useEarly<HTMLTextAreaElement>(repeatText, rest.value !== undefined, ref);
  return <textarea {...rest} ref={own} className={classNames(CONTROL, "px-3 py-2", className)} />;
}

/** The native select, which works best on phones and without JavaScript. */
export function Select({ className, ref, ...rest }: ComponentProps<"select">) {
  const own = useEarly<HTMLSelectElement>(repeatChoice, rest.value !== undefined, ref);
  return (
    <span className={classNames("grid items-center *:col-start-1 *:row-start-1", className)}>
      <select {...rest} ref={own} className={classNames(inputClass, "appearance-none pr-8")} />
      <ChevronDown size={15} aria-hidden="true" className="pointer-events-none mr-2.5 justify-self-end text-muted" />
    </span>
  );
}

/** An option of a select. */
export interface Choice {
  value: string;
  name: string;
}

/** The options of a select. */
export function Options({ choices }: { choices: readonly Choice[] }) {
  return choices.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}
