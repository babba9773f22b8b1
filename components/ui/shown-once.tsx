import type { ReactNode } from "react";
import { Callout } from "./callout";
import { Checkbox } from "./checkbox";
import { CopyButton } from "./copy-button";

/** Shows a secret that exists only in this page's memory, until the person confirms that it is stored. */
export function ShownOnce({
  what,
  label,
  value,
  where,
  loss,
  stored,
  onStored,
  children,
}: {
  /** Such as "key". */
  what: string;
  /** Such as "API key", as the copy button's name for screen readers. */
  label: string;
  value: string;
  /** Where to store it, such as "where my program reads it". */
  where: string;
  /** What to do if it is lost. */
  loss: ReactNode;
  stored: boolean;
  onStored: (stored: boolean) => void;
  /** What else to know before. */
  children?: ReactNode;
}) {
  return (
    <>
      <Callout tone="warning" title={`This is the only time the ${what} is shown.`}>
        {loss}
      </Callout>
      <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken p-3">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{value}</code>
        <CopyButton value={value} label={label} text={`Copy ${what}`} onCopied={() => onStored(true)} />
      </div>
      {children}
      <Checkbox label={`I have stored the ${what} ${where}.`} checked={stored} onChange={onStored} />
    </>
  );
}
