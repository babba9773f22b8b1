"use client";

import { useEffect, useState } from "react";

interface OutlineHeading {
  depth: number;
  text: string;
  id: string;
}

/** The outline of a long page, shown beside it if there is room. Marks the current heading. */
export function OnThisPage({ headings }: { headings: OutlineHeading[] }) {
  const shown = headings.filter(({ depth }) => depth <= 3);
  const current = useCurrentHeading(shown.map(({ id }) => id).join(" "));
  if (headings.length < 2) return null;
  return (
    <aside className="docs-toc">
      <nav aria-label="On this page">
        <p className="docs-nav-title">On this page</p>
        <ul>
          {shown.map(({ id, text, depth }) => (
            <li key={id} data-depth={depth}>
              <a href={`#${id}`} aria-current={id === current ? "location" : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
}

/**
 * Distance from the top of the window, in pixels, above which a heading counts as read: the header and a line or two.
 */
const READING_LINE = 140;

/**
 * Returns the last heading above the reading line, or at the end of the page the last one. `ids` is joined by spaces.
 */
function useCurrentHeading(ids: string): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const headings = ids.split(" ");
    const find = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
      const above = headings.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= READING_LINE;
      });
      setCurrent((atEnd ? headings : above).at(-1));
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    window.addEventListener("resize", find);
    return () => {
      window.removeEventListener("scroll", find);
      window.removeEventListener("resize", find);
    };
  }, [ids]);
  return current;
}
