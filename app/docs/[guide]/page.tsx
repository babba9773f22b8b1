import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Guide } from "@/components/docs/guide";
import { readGuide } from "@/lib/docs/read-guide";

interface Props {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await readGuide((await params).guide);
  return page ? { title: page.title, description: page.description } : {};
}

/** A guide: a file of `docs/` listed in lib/docs/guides.ts. */
export default async function GuidePage({ params }: Props) {
  const page = await readGuide((await params).guide);
  if (!page) notFound();
  return <Guide page={page} />;
}
