import { Link as LinkIcon } from "lucide-react";
import type { ReactNode } from "react";

interface AnchoredProps {
  depth: number;
  id: string;
  children: ReactNode;
}

/** A heading with an anchor. */
export function Anchored({ depth, id, children }: AnchoredProps) {
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
