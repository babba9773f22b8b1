import type { ReactNode } from "react";
import { Logo } from "@/components/shell/logo";

const LINKS = [
  { href: "/docs", name: "Docs" },
  { href: "/docs/api", name: "API reference" },
  { href: "/docs/security-model", name: "Security" },
  { href: "/system-status", name: "Status" },
];

/**
 * The header of every public page. `children` stand on the right, before the sign-in link. Its links are plain, because
 * the not-found page has no router.
 *
 * @param dashboard where a visitor who is signed in continues; only pages that look for a session know it
 */
export function SiteHeader({ dashboard, children }: { dashboard?: string; children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-paper">
      <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-3 px-4 sm:gap-6 sm:px-8">
        <a href="/" className="flex min-h-11 items-center">
          <Logo />
        </a>
        <nav aria-label="Site" className="flex items-center gap-5 text-sm max-md:hidden">
          {LINKS.map(({ href, name }) => (
            <a key={href} href={href} className="text-muted hover:text-ink">
              {name}
            </a>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2 sm:gap-4">
          {children}
          <a
            href={dashboard ?? "/sign-in"}
            className="flex min-h-11 items-center whitespace-nowrap font-medium text-sm hover:text-accent"
          >
            {dashboard ? "Dashboard" : "Sign in"}
          </a>
        </div>
      </div>
    </header>
  );
}
