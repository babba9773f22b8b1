const DAY = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const SHORT = new Intl.DateTimeFormat("en-GB", { ...DAY, hour: "2-digit", minute: "2-digit" });
const DAY_ALONE = new Intl.DateTimeFormat("en-GB", DAY);
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });

/**
 * A moment in UTC, the same on server and browser; the exact one in its title.
 *
 * @param value ISO 8601
 * @param day show the day alone
 */
export function Time({ value, day = false, className }: { value: string; day?: boolean; className?: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={LONG.format(date)} className={className}>
      {(day ? DAY_ALONE : SHORT).format(date)}
    </time>
  );
}
