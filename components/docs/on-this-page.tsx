import type { Heading } from "@/lib/docs/read-guide";

/** The headings of a long page, at its side where there is room. */
export function OnThisPage({ headings }: { headings: Heading[] }) {
  if (headings.length < 2) return null;
  return (
    <aside className="docs-toc">
      <nav aria-label="On this page">
        <p className="docs-nav-title">On this page</p>
        <ul>
          {headings
            .filter(({ depth }) => depth <= 3)
            .map(({ id, text, depth }) => (
              <li key={id} data-depth={depth}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
        </ul>
      </nav>
    </aside>
  );
}
