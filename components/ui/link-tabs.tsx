import { classNames } from "./class-names";
import { Link } from "./link";

/** One tab. */
interface LinkTab {
  name: string;
  href: string;
  current: boolean;
}

const TAB = "block whitespace-nowrap text-sm transition-colors";
const LOOKS = {
  pills: {
    nav: "-mx-1 px-1 pb-px",
    list: "gap-1",
    tab: "rounded-md px-2.5 py-1.5 pointer-coarse:py-3",
    current: "bg-sunken font-medium text-ink",
    other: "text-muted hover:bg-sunken hover:text-ink",
  },
  line: {
    nav: "-mx-4 border-line border-b px-4 sm:mx-0 sm:px-0",
    list: "gap-6",
    tab: "-mb-px border-b-2 pb-2.5 pointer-coarse:pt-2.5",
    current: "border-accent font-medium text-ink",
    other: "border-transparent text-muted hover:text-ink",
  },
} as const;

/**
 * Tabs that are links: pages of a section (`line`), or the values of a filter (`pills`).
 *
 * @param still whether the page keeps its place: the list changes below the tabs, and nothing else
 */
export function LinkTabs({
  label,
  tabs,
  look = "pills",
  still = false,
  className,
}: {
  label: string;
  tabs: readonly LinkTab[];
  look?: keyof typeof LOOKS;
  still?: boolean;
  className?: string;
}) {
  const { nav, list, tab, current: chosen, other } = LOOKS[look];
  return (
    <nav aria-label={label} className={classNames("overflow-x-auto", nav, className)}>
      <ul className={classNames("flex", list)}>
        {tabs.map(({ name, href, current }) => (
          <li key={href}>
            <Link
              href={href}
              scroll={still ? false : undefined}
              aria-current={current ? "page" : undefined}
              className={classNames(TAB, tab, current ? chosen : other)}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
