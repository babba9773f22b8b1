import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

/** One line in a list of facts: a name and its value, which on a phone goes below the name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-3 sm:grid-cols-[9rem_minmax(0,1fr)] sm:items-baseline sm:gap-4">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="min-w-0 text-sm">{children}</dd>
    </div>
  );
}

/** A link to a transaction in a public explorer. */
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
