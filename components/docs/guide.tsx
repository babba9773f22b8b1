import { apiReference } from "@/lib/http/docs/api-reference";
import type { Block, GuidePage } from "@/lib/http/docs/read-guide";
import { operationsOf } from "@/lib/http/docs/related";
import { Anchored } from "./anchored";
import { Markdown } from "./markdown";
import { OnThisPage } from "./on-this-page";
import { OperationLinks } from "./operation-links";
import { PageTitle } from "./page-title";
import { Pager } from "./pager";
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

/** Links to the page as Markdown, for people who paste it and for programs. */
function MarkdownLink({ href }: { href: string }) {
  return (
    <p className="docs-markdown-link">
      <a href={`${href}.md`} type="text/markdown">
        View this page as Markdown
      </a>
    </p>
  );
}

/** The API operations that a guide is about. */
async function RelatedOperations({ slug }: { slug: string }) {
  const operations = operationsOf(slug, await apiReference());
  if (operations.length === 0) return null;
  return (
    <nav className="docs-related" aria-labelledby="api-reference">
      <h2 id="api-reference">API reference</h2>
      <OperationLinks operations={operations} />
    </nav>
  );
}
