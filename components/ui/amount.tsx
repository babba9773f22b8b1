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

/** The most digits beyond two decimals that USDG has. */
const FEW_DIGITS = 4;

/** The decimals that every amount has. Further digits are shown where there are any. */
const DECIMALS = 2;

/** Returns an amount as it is written, in two parts: with two decimals, and the digits beyond them. */
function amountParts(amount: string): { main: string; extra: string } {
  const [whole = "", fraction = ""] = amount.split(".");
  return {
    main: grouped(`${whole}.${fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0")}`),
    extra: fraction.slice(DECIMALS),
  };
}

/** Writes an amount of money as every screen does: `1234.5` becomes `1,234.50`, and no digit is left out. */
export function written(amount: string): string {
  const { main, extra } = amountParts(amount);
  return main + extra;
}

/** Returns the asset of all rows of a table, which then is named once in its head; undefined if they differ. */
export function assetOfAll(rows: readonly { asset: string | null }[]): string | undefined {
  const asset = rows[0]?.asset ?? undefined;
  return rows.every((row) => row.asset === asset) ? asset : undefined;
}

/**
 * An amount, decrypted in this browser. While locked it shows as encrypted, never as zero.
 *
 * @param encrypted whether the vault is locked
 * @param aligned whether it stands in a column: the decimal points are below each other, if an element around it is a
 *   `group/amounts`, and the head names the unit. A phone shows no head: there the unit follows the digits
 */
export function Amount({
  value,
  asset,
  encrypted = false,
  sign,
  aligned = false,
  className,
}: {
  value: DecryptedAmount;
  asset: string;
  encrypted?: boolean;
  sign?: "+" | "−";
  aligned?: boolean;
  className?: string;
}) {
  if (encrypted) {
    return (
      <span className={classNames("inline-flex items-baseline gap-1.5 text-faint", className)}>
        <LockKeyhole size={13} aria-hidden="true" className="self-center" />
        <span aria-hidden="true" className="tracking-[0.2em]">
          •••••
        </span>
        <span className="sr-only">encrypted amount</span>
        <span className={aligned ? "text-[0.85em] sm:sr-only" : "text-[0.85em]"}>{asset}</span>
      </span>
    );
  }
  if (value === undefined) return <Skeleton className="inline-block! h-[1em] w-20 align-middle" />;
  if (value === null) return <span className="text-muted">unknown</span>;
  const { main, extra } = amountParts(value);
  const digits = extra !== "" && (
    <span data-extra={extra.length > FEW_DIGITS ? "many" : "few"} className="text-faint">
      {extra}
    </span>
  );
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", className)}>
      {sign}
      {main}
      {aligned ? (
        <>
          <span className="inline-block text-left sm:group-has-data-[extra=few]/amounts:min-w-[4ch] sm:group-has-data-[extra=many]/amounts:min-w-[7ch]">
            {digits}
          </span>
          <span className="text-[0.85em] text-muted sm:sr-only"> {asset}</span>
        </>
      ) : (
        <>
          {digits} <span className="text-[0.85em] text-muted">{asset}</span>
        </>
      )}
    </span>
  );
}
