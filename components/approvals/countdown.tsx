import { Clock } from "lucide-react";
import { classNames } from "@/components/ui/class-names";
import { endsSoon, timeLeft } from "./time-left";

/** The time left to decide, ticking. The service decides whether it has run out. */
export function Countdown({ until, now, className }: { until: string; now: number; className?: string }) {
  const milliseconds = new Date(until).getTime() - now;
  const left = timeLeft(milliseconds);
  return (
    <span
      role="timer"
      className={classNames(
        "inline-flex items-center gap-1.5 whitespace-nowrap tabular-nums",
        endsSoon(milliseconds) ? "text-warning" : "text-muted",
        className,
      )}
    >
      <Clock size={13} aria-hidden="true" />
      {left ? `${left} left` : "time is up"}
    </span>
  );
}
