import type { ReactNode } from "react";
import { Skeleton } from "./skeleton";

/** A placeholder for a list in a flush card. */
function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div className="divide-y divide-line border-line border-t">
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

/** A placeholder for a card of names and values. */
function SkeletonCard({ rows }: { rows: number }) {
  return (
    <div className="rounded-xl border border-line bg-raised p-4 sm:p-5">
      <Skeleton className="h-5 w-32" />
      <Skeleton className="mt-2 h-4 w-full max-w-sm" />
      <div className="mt-5 grid gap-5">
        {Array.from({ length: rows }, (_, row) => row).map((row) => (
          <div key={row} className="flex items-center gap-8">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-4 w-44" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A placeholder for an asset: its total and its parts. */
function SkeletonAsset() {
  return (
    <div className="rounded-xl border border-line bg-raised">
      <div className="p-4 sm:p-5">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="mt-2.5 h-8 w-36" />
        <Skeleton className="mt-4 h-1.5 w-full" />
      </div>
      <div className="divide-y divide-line border-line border-t">
        {["available", "notes", "deposited"].map((part) => (
          <div key={part} className="grid gap-2 px-4 py-3 sm:px-5">
            <div className="flex justify-between">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-4 w-20" />
            </div>
            <Skeleton className="h-3 w-48" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The layout of a page below its head. */
export type PageShape = "list" | "cards" | "balances" | "overview";

const BODIES: Record<PageShape, () => ReactNode> = {
  list: () => (
    <div className="rounded-xl border border-line bg-raised pt-4">
      <SkeletonRows />
    </div>
  ),
  cards: () => (
    <div className="grid gap-6">
      <SkeletonCard rows={4} />
      <SkeletonCard rows={2} />
    </div>
  ),
  overview: () => (
    <div className="grid grid-cols-1 gap-4">
      <Skeleton className="h-13 rounded-xl!" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Skeleton className="h-28 rounded-xl!" />
        <Skeleton className="h-28 rounded-xl!" />
      </div>
      <div className="rounded-xl border border-line bg-raised pt-4">
        <SkeletonRows />
      </div>
    </div>
  ),
  balances: () => (
    <div className="grid gap-4">
      <Skeleton className="mb-1 h-6 w-64" />
      <Skeleton className="h-13 rounded-xl!" />
      <div className="grid gap-4 lg:grid-cols-2">
        <SkeletonAsset />
        <SkeletonAsset />
      </div>
    </div>
  ),
};

/** A placeholder for a whole page that is loading. */
export function SkeletonPage({ shape, title }: { shape: PageShape; title?: string }) {
  return (
    <div role="status" aria-label="Loading">
      <div className="mb-8">
        {title === undefined ? (
          <Skeleton className="h-8 w-48" />
        ) : (
          <p className="text-balance font-semibold text-2xl tracking-tight">{title}</p>
        )}
        <Skeleton className="mt-2.5 h-4 w-full max-w-md" />
      </div>
      {BODIES[shape]()}
    </div>
  );
}
