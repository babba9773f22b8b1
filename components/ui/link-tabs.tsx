import { classNames } from "./class-names";
import { Link } from "./link";

/** Tabs that are links: sections of a page, or the values of a filter. */
export function LinkTabs({ label, tabs }: { label: string; tabs: { name: string; href: string; current: boolean }[] }) {
  return (
    <nav aria-label={label} className="-mx-1 flex gap-1 overflow-x-auto px-1 pb-px">
      {tabs.map(({ name, href, current }) => (
        <Link
          key={href}
          href={href}
          aria-current={current ? "page" : undefined}
          className={classNames(
            "whitespace-nowrap rounded-md px-2.5 py-1.5 text-sm transition-colors pointer-coarse:py-3",
            current ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
