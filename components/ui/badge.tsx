import type { ReactNode } from "react";
import { classNames } from "./class-names";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger" | "live";

const TONES: Record<Tone, string> = {
  neutral: "bg-sunken text-muted",
  accent: "bg-accent-soft text-accent",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
  live: "bg-live-soft text-live",
};

/** A state in one word. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex h-5.5 items-center gap-1 whitespace-nowrap rounded-full px-2 font-medium text-xs",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
