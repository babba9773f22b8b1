import { Link as LinkIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A heading that can be linked to. */
export function Anchored({ depth, id, children }: { depth: number; id: string; children: ReactNode }) {
  const Heading = depth === 2 ? "h2" : "h3";
  return (
    <Heading id={id} className="docs-heading">
      {children}
      <a href={`#${id}`} className="docs-anchor" aria-label="Link to this section">
        <LinkIcon size={14} aria-hidden />
      </a>
    </Heading>
  );
}
