const DAY = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit" } as const;
const SHORT = new Intl.DateTimeFormat("en-GB", MINUTE);
const SECONDS = new Intl.DateTimeFormat("en-GB", { ...MINUTE, second: "2-digit" });
const DAY_ALONE = new Intl.DateTimeFormat("en-GB", DAY);
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });

/**
 * A moment in UTC, the same on server and browser; the exact one in its title.
 *
 * @param value ISO 8601
 * @param day show the day alone
 * @param seconds show the second, for logs
 */
export function Time({
  value,
  day = false,
  seconds = false,
  className,
}: {
  value: string;
  day?: boolean;
  seconds?: boolean;
  className?: string;
}) {
  const date = new Date(value);
  const format = day ? DAY_ALONE : seconds ? SECONDS : SHORT;
  return (
    <time dateTime={value} title={LONG.format(date)} className={className}>
      {format.format(date)}
    </time>
  );
}
