import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { GUIDES } from "@/lib/http/docs/guides";
import { readGuide } from "@/lib/http/docs/read-guide";
import { Markdown } from "./markdown";
import { Samples } from "./samples";

test("every guide uses Markdown the pages can show, and nothing of it becomes a style or a script", async () => {
  for (const { slug } of GUIDES) {
    const page = await readGuide(slug);
    for (const block of page?.blocks ?? []) {
      const html =
        block.kind === "samples"
          ? renderToStaticMarkup(<Samples samples={block.samples} />)
          : renderToStaticMarkup(<Markdown tokens={block.kind === "heading" ? block.tokens : [block.token]} />);
      expect(html, slug).not.toMatch(/\sstyle=|<script|\son\w+=/);
    }
  }
});
