import { classNames } from "./class-names";

/** The place of a text or figure that is on its way; give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames("block rounded bg-sunken motion-safe:animate-pulse-soft", className)}
    />
  );
}

/** The place of a list in a flush card. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y divide-line border-line border-t">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex h-15 items-center gap-6 px-5">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-24" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}

/** The place of a whole page while it is fetched: head and one list. */
export function SkeletonPage({ rows }: { rows?: number }) {
  return (
    <div>
      <div className="mb-8">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="mt-2.5 h-4 w-full max-w-md" />
      </div>
      <div className="rounded-xl border border-line bg-raised pt-4">
        <SkeletonRows rows={rows} />
      </div>
    </div>
  );
}
