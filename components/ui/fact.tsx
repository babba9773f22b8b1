import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

/** One line of a list of facts: its name, and beside it (below it on a phone) what is the case. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-3 sm:grid-cols-[9rem_minmax(0,1fr)] sm:items-baseline sm:gap-4">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="min-w-0 text-sm">{children}</dd>
    </div>
  );
}

/** To a transaction at a public explorer. */
export function ExplorerLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-accent hover:underline"
    >
      View on explorer
      <ExternalLink size={13} aria-hidden="true" />
    </a>
  );
}
