import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";

export type ButtonTone = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium";

const TONES: Record<ButtonTone, string> = {
  primary: "bg-accent text-accent-ink shadow-raised hover:bg-accent-hover",
  secondary: "border border-line-strong bg-raised text-ink shadow-raised hover:bg-sunken",
  ghost: "text-muted hover:bg-sunken hover:text-ink",
  danger: "bg-danger-solid text-white shadow-raised hover:brightness-95",
};
const SIZES: Record<ButtonSize, string> = {
  small: "h-8 gap-1.5 rounded-md px-2.5 text-[13px] pointer-coarse:h-11",
  medium: "h-9 gap-2 rounded-lg px-3.5 text-sm pointer-coarse:h-11",
};

/** Returns the classes of a button, for links and triggers that look like one. */
export function buttonClass(tone: ButtonTone = "secondary", size: ButtonSize = "medium", extra?: string): string {
  return classNames(
    "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium transition-colors",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50",
    TONES[tone],
    SIZES[size],
    extra,
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  tone?: ButtonTone;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Whether work is running. The button is disabled, keeps its width, and announces that it is busy. */
  busy?: boolean;
}

/** A button, with `type="button"` by default. */
export function Button({ tone, size, icon, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(tone, size, className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** A small spinner. Decorative: the button's label says what is happening. */
export function Spinner() {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" fill="none" className="motion-safe:animate-spin" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
