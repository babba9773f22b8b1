const SHORT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });

/** A moment in UTC, the same on server and browser; the exact one in its title. */
export function Time({ value, className }: { value: string; className?: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={LONG.format(date)} className={className}>
      {SHORT.format(date)}
    </time>
  );
}
