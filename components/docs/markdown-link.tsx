/** Links to the page as Markdown, for people who paste it and for programs. */
export function MarkdownLink({ href }: { href: string }) {
  return (
    <p className="docs-markdown-link">
      <a href={`${href}.md`} type="text/markdown">
        View this page as Markdown
      </a>
    </p>
  );
}
