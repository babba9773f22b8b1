import type { Block, GuidePage } from "@/lib/http/docs/read-guide";
import { Anchored } from "./anchored";
import { Markdown } from "./markdown";
import { MarkdownLink } from "./markdown-link";
import { OnThisPage } from "./on-this-page";
import { PageTitle } from "./page-title";
import { Pager } from "./pager";
import { RelatedOperations } from "./related-operations";
import { Samples } from "./samples";

/** A Markdown page with an outline beside it. */
export function Guide({ page }: { page: GuidePage }) {
  const href = `/docs/${page.slug}`;
  return (
    <div className="docs-columns">
      <article className="docs-prose">
        <PageTitle title={page.title} description={page.description} />
        {page.blocks.map((block) => (
          <Piece key={keyOf(block)} block={block} />
        ))}
        <RelatedOperations slug={page.slug} />
        <MarkdownLink href={href} />
        <Pager href={href} />
      </article>
      <OnThisPage headings={page.headings.map(({ depth, text, id }) => ({ depth, text, id }))} />
    </div>
  );
}

function Piece({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <Anchored depth={block.heading.depth} id={block.heading.id}>
          <Markdown tokens={block.tokens} />
        </Anchored>
      );
    case "samples":
      return <Samples samples={block.samples} />;
    case "markdown":
      return <Markdown tokens={[block.token]} />;
  }
}

function keyOf(block: Block): string {
  if (block.kind === "heading") return `#${block.heading.id}`;
  return block.kind === "samples" ? block.samples.map(({ code }) => code).join("\n") : block.token.raw;
}
