import { classNames } from "./class-names";

/**
 * A placeholder for a text or figure that is loading. Give it the size of the content. A custom border radius needs
 * `!`.
 */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames("block rounded bg-sunken motion-safe:animate-pulse-soft", className)}
    />
  );
}
