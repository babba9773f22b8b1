import type { ReactNode } from "react";
import { classNames } from "./class-names";

/** A raised surface. `title`, `description` and `action` form its header. With an `id`, addresses lead to it. */
export function Card({
  id,
  title,
  description,
  action,
  children,
  flush = false,
  className,
}: {
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
  /** Whether the content has its own padding (tables, lists). */
  flush?: boolean;
  className?: string;
}) {
  return (
    <section
      id={id}
      className={classNames("rounded-xl border border-line bg-raised shadow-raised", id && "scroll-mt-24", className)}
    >
      {title && (
        <header
          className={classNames(
            "flex flex-wrap justify-between gap-x-4 gap-y-3 px-4 pt-4 sm:px-5 sm:pt-5",
            description ? "items-start" : "items-center",
            !children && "pb-4 sm:pb-5",
          )}
        >
          <div className="min-w-0">
            <h2 className="font-medium text-[15px]">{title}</h2>
            {description && <p className="mt-1 max-w-2xl text-pretty text-muted text-sm">{description}</p>}
          </div>
          {action}
        </header>
      )}
      {children && <div className={flush ? "mt-4" : "p-4 sm:p-5"}>{children}</div>}
    </section>
  );
}
