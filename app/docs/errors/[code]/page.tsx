import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NOT_FOUND, pageMetadata } from "@/app/docs/page-metadata";
import { OperationLinks } from "@/components/docs/operation-links";
import { PageTitle } from "@/components/docs/page-title";
import { Pager } from "@/components/docs/pager";
import { Samples } from "@/components/docs/samples";
import { Text } from "@/components/docs/text";
import { apiReference } from "@/lib/http/docs/api-reference";
import { operationHref } from "@/lib/http/docs/slug";
import type { ApiReference } from "@/lib/http/reference/read-reference";
import { readErrorGuide } from "../guide";

interface Props {
  params: Promise<{ code: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params;
  const error = (await apiReference()).errors.find((one) => one.code === code);
  if (!error) return NOT_FOUND;
  const description = `Why the API returns ${error.status} ${code}, and what to do.`;
  return pageMetadata(`/docs/errors/${code}`, { title: `${code}, errors`, description });
}

/** The target of an error's `doc_url`: the code, what to do, a recorded response, and the operations that return it. */
export default async function ErrorPage({ params }: Props) {
  const { code } = await params;
  const [guide, reference] = await Promise.all([readErrorGuide(), apiReference()]);
  const section = guide.sections.find((one) => one.code === code);
  const error = reference.errors.find((one) => one.code === code);
  if (!section || !error) notFound();
  const returnedBy = operationsWith(reference, code);
  return (
    <article className="docs-prose">
      <p className="docs-crumb">
        <a href="/docs/errors">Errors</a>
      </p>
      <PageTitle title={code} description={`HTTP status ${error.status}`} mono />
      <Text>{section.text.replace(`${error.status}. `, "")}</Text>
      {error.example === undefined ? null : (
        <Samples
          title="Example response"
          samples={[{ language: "json", code: JSON.stringify(error.example, null, 2) }]}
        />
      )}
      {returnedBy.length > 0 && (
        <>
          <h2>Returned by</h2>
          <OperationLinks operations={returnedBy} />
        </>
      )}
      <Pager href="/docs/errors" />
    </article>
  );
}

function operationsWith({ chapters }: ApiReference, code: string) {
  return chapters.flatMap(({ name, operations }) =>
    operations
      .filter(({ errors }) => errors.some(({ codes }) => codes.includes(code)))
      .map(({ id, method, path }) => ({ href: operationHref(name, id), method, path })),
  );
}
