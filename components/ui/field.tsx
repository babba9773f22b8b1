import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names";

const CONTROL =
  "w-full rounded-lg border border-line-strong bg-raised text-ink shadow-raised transition-colors placeholder:text-faint " +
  "hover:border-faint focus-visible:border-accent focus-visible:outline-offset-0 disabled:opacity-60 " +
  "aria-invalid:border-danger text-base sm:text-sm";

/** Classes of a one-line control. */
export const inputClass = classNames(CONTROL, "h-9 px-3 pointer-coarse:h-11");

/** What a control needs to be tied to its label, hint and error. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/**
 * A labelled control with its hint and its error. The error is read out when it appears.
 *
 * @param warning of a value that is right by itself, but not with others; shown while there is no error
 * @param children the control, given the attributes that tie it to label, hint and error
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

/** A one-line text control. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={classNames(inputClass, className)} />;
}

/** A control of several lines. */
export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea {...rest} className={classNames(CONTROL, "px-3 py-2", className)} />;
}

/** The platform's own select: the best on a phone, and it works without JavaScript. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return (
    <span className={classNames("grid items-center *:col-start-1 *:row-start-1", className)}>
      <select {...rest} className={classNames(inputClass, "appearance-none pr-8")} />
      <ChevronDown size={15} aria-hidden="true" className="pointer-events-none mr-2.5 justify-self-end text-muted" />
    </span>
  );
}

/** A choice of a select. */
export interface Choice {
  value: string;
  name: string;
}

/** The choices of a select. */
export function Options({ choices }: { choices: readonly Choice[] }) {
  return choices.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

/** A decimal amount with its asset behind it. */
export function AmountInput({ asset, className, ...rest }: ComponentProps<"input"> & { asset: string }) {
  return (
    <div className="relative">
      <Input inputMode="decimal" autoComplete="off" {...rest} className={classNames("pr-16 tabular-nums", className)} />
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-muted text-sm">
        {asset}
      </span>
    </div>
  );
}
