import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link";

/** A link above a page's title to the list that the page belongs to. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="inline-flex min-h-6 max-w-full items-center gap-1.5 text-muted hover:text-ink pointer-coarse:min-h-11"
    >
      <ArrowLeft size={14} aria-hidden="true" className="shrink-0" />
      <span className="truncate">{children}</span>
    </Link>
  );
}
