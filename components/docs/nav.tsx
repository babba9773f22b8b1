"use client";

import { ChevronDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import type { NavPage, NavSection } from "@/lib/http/docs/navigation";

/** The documentation's navigation: every page, with the current one marked and its operations below it. */
export function DocsNav({ sections }: { sections: NavSection[] }) {
  const pathname = usePathname();
  const nav = useRef<HTMLElement>(null);
  // Scrolls the current page into view within the list, without scrolling the window.
  useEffect(() => {
    const [side, open] = [nav.current?.parentElement, nav.current?.querySelector(`a[href="${CSS.escape(pathname)}"]`)];
    if (!side || !open) return;
    const below = open.getBoundingClientRect().bottom - side.getBoundingClientRect().bottom;
    if (below > 0) side.scrollTop += below + side.clientHeight / 2;
  }, [pathname]);
  return (
    <nav ref={nav} aria-label="Documentation" className="docs-nav">
      {sections.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <p className="docs-nav-title">{title}</p>
          <ul>
            {pages.map((page) => (
              <NavEntry key={page.href} page={page} pathname={pathname} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Reports whether a path belongs to a page of the menu that it is not: the page of one error. */
function isInside({ href }: NavPage, pathname: string): boolean {
  return href === "/docs/errors" && pathname.startsWith("/docs/errors/");
}

function NavEntry({ page, pathname }: { page: NavPage; pathname: string }) {
  const open = pathname === page.href;
  const inside = isInside(page, pathname);
  return (
    <li>
      <a href={page.href} className="docs-nav-link" aria-current={open ? "page" : inside ? "true" : undefined}>
        {page.title}
      </a>
      {open && page.operations && (
        <ul className="docs-nav-operations">
          {page.operations.map(({ href, title, method }) => (
            <li key={href}>
              <a href={href}>
                <span>{title}</span>
                <span className="docs-method" data-method={method}>
                  {method}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The same navigation for narrow screens. Closes when a page is chosen. */
export function DocsMenu({ sections }: { sections: NavSection[] }) {
  const pathname = usePathname();
  const pages = sections.flatMap((section) => section.pages);
  const here = pages.find(({ href }) => href === pathname) ?? pages.find((page) => isInside(page, pathname));
  return (
    <details key={pathname} className="docs-menu">
      <summary>
        <span className="text-muted">Menu</span>
        <span className="truncate font-medium">{here?.title ?? "Documentation"}</span>
        <ChevronDown size={16} aria-hidden className="docs-menu-sign ml-auto shrink-0" />
      </summary>
      <DocsNav sections={sections} />
    </details>
  );
}
