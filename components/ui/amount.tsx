import { LockKeyhole } from "lucide-react";
import { classNames } from "./class-names";
import { Skeleton } from "./skeleton";

/** A decrypted amount: a decimal string, `null` if it can't be read or decrypted, `undefined` while decrypting. */
export type DecryptedAmount = string | null | undefined;

/** Groups thousands of the whole part: `1234567.5` becomes `1,234,567.5`. */
export function grouped(amount: string): string {
  const [whole = "", fraction] = amount.split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/**
 * An amount, decrypted in this browser. While locked it shows as encrypted, never as zero.
 *
 * @param sealed whether the vault is locked
 */
export function Amount({
  value,
  asset,
  sealed = false,
  sign,
  className,
}: {
  value: DecryptedAmount;
  asset: string;
  sealed?: boolean;
  sign?: "+" | "−";
  className?: string;
}) {
  if (sealed) {
    return (
      <span className={classNames("inline-flex items-baseline gap-1.5 text-faint", className)}>
        <LockKeyhole size={13} aria-hidden="true" className="self-center" />
        <span aria-hidden="true" className="tracking-[0.2em]">
          •••••
        </span>
        <span className="sr-only">encrypted amount</span>
        <span className="text-[0.85em]">{asset}</span>
      </span>
    );
  }
  if (value === undefined) return <Skeleton className="inline-block! h-[1em] w-20 align-middle" />;
  if (value === null) return <span className="text-muted">unknown</span>;
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", className)}>
      {sign}
      {grouped(value)} <span className="text-[0.85em] text-muted">{asset}</span>
    </span>
  );
}
