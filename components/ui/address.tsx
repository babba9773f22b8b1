import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

/** A long word or address in short: `0x1234…cdef`. */
export function shortened(value: string): string {
  return value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value;
}

/** An address or hash in short, whole for assistive technology and the clipboard. */
export function Address({
  value,
  label = "address",
  className,
}: {
  value: string;
  label?: string;
  className?: string;
}) {
  return (
    <span className={classNames("inline-flex items-center gap-0.5 font-mono text-[13px]", className)}>
      <span title={value} aria-hidden="true">
        {shortened(value)}
      </span>
      <span className="sr-only">{value}</span>
      <CopyButton value={value} label={label} />
    </span>
  );
}
