import { notFound } from "next/navigation";
import { pageMetadata } from "@/app/docs/page-metadata";
import { Guide } from "@/components/docs/guide";
import { readGuide } from "@/lib/http/docs/read-guide";

export async function generateMetadata() {
  const page = await readGuide("api");
  return pageMetadata("/docs/api", { title: "API reference", description: page?.description ?? "" });
}

/** What all operations of the API share. */
export default async function ApiIntroduction() {
  const page = await readGuide("api");
  if (!page) notFound();
  return <Guide page={page} />;
}
