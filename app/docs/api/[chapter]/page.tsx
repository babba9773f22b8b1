import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Operation } from "@/components/docs/operation";
import { PageTitle } from "@/components/docs/page-title";
import { Pager } from "@/components/docs/pager";
import { apiReference } from "@/lib/docs/api-reference";
import { slugOf } from "@/lib/docs/slug";
import { env } from "@/lib/env";

interface Props {
  params: Promise<{ chapter: string }>;
}

async function chapterOf({ params }: Props) {
  const { chapter } = await params;
  return (await apiReference()).chapters.find(({ name }) => slugOf(name) === chapter);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const chapter = await chapterOf(props);
  return chapter ? { title: `${chapter.name}, API reference`, description: chapter.description } : {};
}

/** A chapter of the reference with all its operations. */
export default async function Chapter(props: Props) {
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
