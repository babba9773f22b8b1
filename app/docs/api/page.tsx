import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Guide } from "@/components/docs/guide";
import { API_INTRODUCTION } from "@/lib/docs/guides";
import { readGuide } from "@/lib/docs/read-guide";

export const metadata: Metadata = { title: "API reference", description: API_INTRODUCTION.description };

/** What holds for every operation of the API. */
export default async function ApiIntroduction() {
  const page = await readGuide(API_INTRODUCTION.slug);
  if (!page) notFound();
  return <Guide page={page} />;
}
