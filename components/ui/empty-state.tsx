import type { ReactNode } from "react";

/** Shown in place of an empty list: what will be here, and how to get the first entry. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon && (
        <div className="mb-4 grid size-11 place-items-center rounded-full bg-sunken text-muted" aria-hidden="true">
          {icon}
        </div>
      )}
      <h2 className="text-balance font-medium">{title}</h2>
      {children && <div className="mt-1.5 max-w-md text-pretty text-muted text-sm">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
