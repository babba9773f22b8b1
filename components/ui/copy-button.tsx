"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { type ButtonSize, type ButtonTone, buttonClass } from "./button";
import { classNames } from "./class-names";

/**
 * Copies a text and says so, also to assistive technology.
 *
 * @param label what is copied, such as "API key"; with `text` shown beside the icon, else only read out
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
  /** Of a button with `text`. */
  tone?: ButtonTone;
  size?: ButtonSize;
  onCopied?: () => void;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    onCopied?.();
  };
  const Icon = copied ? Check : Copy;
  return (
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
      <span role="status" className="sr-only">
        {copied ? `${label} copied` : ""}
      </span>
    </button>
  );
}
