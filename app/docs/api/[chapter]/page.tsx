import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NOT_FOUND, pageMetadata } from "@/app/docs/page-metadata";
import { Guide } from "@/components/docs/guide";
import { Operation } from "@/components/docs/operation";
import { PageTitle } from "@/components/docs/page-title";
import { Pager } from "@/components/docs/pager";
import { env } from "@/lib/base/env";
import { apiReference } from "@/lib/http/docs/api-reference";
import { readGuide } from "@/lib/http/docs/read-guide";
import { slugOf } from "@/lib/http/docs/slug";

interface Props {
  params: Promise<{ chapter: string }>;
}

const guideOf = async ({ params }: Props) => readGuide(`api/${(await params).chapter}`);

async function chapterOf({ params }: Props) {
  const { chapter } = await params;
  return (await apiReference()).chapters.find(({ name }) => slugOf(name) === chapter);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const [guide, chapter] = [await guideOf(props), await chapterOf(props)];
  if (guide) return pageMetadata(`/docs/${guide.slug}`, guide);
  if (!chapter) return NOT_FOUND;
  const { name, description } = chapter;
  return pageMetadata(`/docs/api/${slugOf(name)}`, { title: `${name}, API reference`, description });
}

/** A chapter of the reference with its operations, or a page about what all operations share. */
export default async function Chapter(props: Props) {
  const guide = await guideOf(props);
  if (guide) return <Guide page={guide} />;
  const chapter = await chapterOf(props);
  if (!chapter) notFound();
  return (
    <article className="docs-prose docs-reference">
      <PageTitle title={chapter.name} description={chapter.description} />
      {chapter.operations.map((operation) => (
        <Operation key={operation.id} operation={operation} origin={env().origin} />
      ))}
      <Pager href={`/docs/api/${slugOf(chapter.name)}`} />
    </article>
  );
}
