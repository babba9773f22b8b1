/** Where a page is to be had as text, for people who paste it and programs that read it. */
export function MarkdownLink({ href }: { href: string }) {
  return (
    <p className="docs-markdown-link">
      <a href={`${href}.md`} type="text/markdown">
        View this page as Markdown
      </a>
    </p>
  );
}
