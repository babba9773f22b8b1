import type { Metadata } from "next";
import type { ReactNode } from "react";
import { InlineScript } from "@/app/inline-script";
import { CopyCode } from "@/components/docs/copy-code";
import { DocsSearch } from "@/components/docs/docs-search";
import { LanguageChoice } from "@/components/docs/language-choice";
import { DocsMenu, DocsNav } from "@/components/docs/nav";
import { SiteHeader } from "@/components/site/site-header";
import { REMEMBER_PRESS } from "@/components/ui/early-press-script";
import { apiReference } from "@/lib/http/docs/api-reference";
import { navigation } from "@/lib/http/docs/navigation";
import "./docs.css";

export const metadata: Metadata = {
  title: { default: "Documentation", template: "%s · Halcyon docs" },
  description: "Guides and the API reference of Halcyon, confidential payments.",
};

/** The frame of the documentation: navigation on the left, the page, and the search. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const sections = navigation(await apiReference());
  return (
    <>
      <InlineScript>{REMEMBER_PRESS}</InlineScript>
      <a href="#content" className="docs-skip">
        Skip to content
      </a>
      <SiteHeader>
        <DocsSearch />
      </SiteHeader>
      <div className="docs-frame">
        <DocsMenu sections={sections} />
        <div className="docs-side">
          <DocsNav sections={sections} />
        </div>
        <main id="content" className="docs-main">
          <LanguageChoice />
          {children}
          <CopyCode />
        </main>
      </div>
    </>
  );
}
