import { publicOrigin } from "@/lib/env";
import type { Node } from "@/lib/reference/node";
import { readDocument } from "@/lib/reference/read-document";
import { type Chapter, type OperationReference, type Reference, readReference } from "@/lib/reference/read-reference";
import { remember } from "./remember";

const parsed = remember((text): Reference => {
  const reference = readReference(JSON.parse(text) as Node);
  return { ...reference, chapters: reference.chapters.map(readingOrder) };
});

/** What makes a thing comes before what shows it; else as the document has it. */
function readingOrder(chapter: Chapter): Chapter {
  const makes = ({ id }: OperationReference) => id.startsWith("create");
  const { operations } = chapter;
  return { ...chapter, operations: [...operations.filter(makes), ...operations.filter((one) => !makes(one))] };
}

/** The reference of the API as this service serves it at `/openapi.json`. */
export async function apiReference(): Promise<Reference> {
  const origin = publicOrigin();
  return parsed(origin, JSON.stringify(await readDocument(process.cwd(), origin)));
}
