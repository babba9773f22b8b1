"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { type ButtonSize, type ButtonTone, buttonClass } from "./button";
import { classNames } from "./class-names";

/**
 * Copies a text and announces that, or that the browser refused.
 *
 * @param label what is copied, such as "API key"; a visible label if `text` is set, otherwise only for screen readers
 * @param onCopied called once the text is on the clipboard
 */
export function CopyButton({
  value,
  label,
  text,
  tone = "secondary",
  size = "small",
  onCopied,
  className,
}: {
  value: string;
  label: string;
  text?: string;
  /** The tone of a button with `text`. */
  tone?: ButtonTone;
  size?: ButtonSize;
  onCopied?: () => void;
  className?: string;
}) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copied = state === "copied";
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      // The clipboard is available only on secure pages, and the browser may refuse access.
      await navigator.clipboard.writeText(value);
    } catch {
      setState("refused");
      return;
    }
    setState("copied");
    onCopied?.();
  };
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={text ? undefined : `Copy ${label}`}
        className={classNames(
          text
            ? buttonClass(tone, size)
            : "inline-grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11",
          className,
        )}
      >
        <Icon size={14} aria-hidden="true" className={copied ? "text-success" : undefined} />
        {text && (copied ? "Copied" : text)}
      </button>
      <span role="status" className={state === "refused" ? "text-danger text-xs" : "sr-only"}>
        {copied && `${label} copied`}
        {state === "refused" && "Your browser did not allow copying. Select the text and copy it."}
      </span>
    </>
  );
}
