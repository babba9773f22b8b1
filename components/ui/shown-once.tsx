import type { ReactNode } from "react";
import { Callout } from "./callout";
import { Checkbox } from "./checkbox";
import { CopyButton } from "./copy-button";

/** A secret that is in this page's memory and nowhere else, until the person says that it is stored. */
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
  /** Such as "API key", for those who do not see the button's place. */
  label: string;
  value: string;
  /** Where it is to be stored, such as "where my program reads it". */
  where: string;
  /** What to do about a lost one. */
  loss: ReactNode;
  stored: boolean;
  onStored: (stored: boolean) => void;
  /** What else is to be known before. */
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
