import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NOT_FOUND, pageMetadata } from "@/app/docs/page-metadata";
import { Guide } from "@/components/docs/guide";
import { readGuide } from "@/lib/http/docs/read-guide";

interface Props {
  params: Promise<{ page: string[] }>;
}

const guideOf = async ({ params }: Props) => readGuide((await params).page.join("/"));

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await guideOf(props);
  return page ? pageMetadata(`/docs/${page.slug}`, page) : NOT_FOUND;
}

/** A guide from lib/http/docs/guides.ts. */
export default async function GuidePage(props: Props) {
  const page = await guideOf(props);
  if (page) return <Guide page={page} />;
  notFound();
}
