import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

/** Shortens a long hex value or address, in the same case wherever it comes from: `0x1234…cdef`. */
export function shortened(value: string): string {
  return value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}`.toLowerCase() : value;
}

/** A shortened address or hash. Screen readers and the clipboard get the whole value. */
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
