import type { ReactNode } from "react";

/** The head of a page: its title, one sentence that says what it is for, and its primary action. */
export function PageHeader({
  title,
  description,
  action,
  back,
}: {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  /** A link to the list that a detail page belongs to. */
  back?: ReactNode;
}) {
  return (
    <header className="mb-6 sm:mb-8">
      {back && <div className="mb-3 text-sm">{back}</div>}
      <div className="flex flex-wrap items-start justify-between gap-4 md:flex-nowrap">
        <div className="min-w-0">
          <h1 className="wrap-anywhere text-balance font-semibold text-2xl tracking-tight">{title}</h1>
          {description && <p className="mt-1.5 max-w-2xl text-pretty text-muted text-sm">{description}</p>}
        </div>
        {action && <div className="flex flex-wrap items-center gap-2 md:shrink-0">{action}</div>}
      </div>
    </header>
  );
}
