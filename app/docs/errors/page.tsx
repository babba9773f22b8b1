import type { Metadata } from "next";
import { pageMetadata } from "@/app/docs/page-metadata";
import { PageTitle } from "@/components/docs/page-title";
import { Pager } from "@/components/docs/pager";
import { Samples } from "@/components/docs/samples";
import { Text } from "@/components/docs/text";
import { apiReference } from "@/lib/http/docs/api-reference";
import { readErrorGuide } from "./guide";

export const metadata: Metadata = pageMetadata("/docs/errors", {
  title: "Errors",
  description: "Every error code of the API and what to do about it.",
});

/**
 * Every error code with its section. `#code` links to a section, as `doc_url` did before each code had its own page.
 */
export default async function Errors() {
  const [guide, { errors }] = await Promise.all([readErrorGuide(), apiReference()]);
  const shown = errors.find(({ code }) => code === "invalid_request")?.example;
  return (
    <article className="docs-prose">
      <PageTitle title="Errors" description="Every error code, what it means and what to do." />
      <Text>{guide.introduction}</Text>
      <p>
        Decide by <code>code</code>, which never changes; show <code>message</code> to people. A 4xx happened before
        anything moved. After a 5xx, or without a response, retry the request with the same{" "}
        <a href="/docs/idempotency">
          <code>Idempotency-Key</code>
        </a>
        : it never pays twice.
      </p>
      {shown === undefined ? null : (
        <Samples title="An error" samples={[{ language: "json", code: JSON.stringify(shown, null, 2) }]} />
      )}
      {guide.sections.map(({ code, text }) => (
        <section key={code} id={code} className="docs-error">
          <h2>
            <a href={`/docs/errors/${code}`}>{code}</a>
          </h2>
          <Text>{text}</Text>
        </section>
      ))}
      <Pager href="/docs/errors" />
    </article>
  );
}
