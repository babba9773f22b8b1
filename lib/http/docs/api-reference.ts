import { publicOrigin } from "@/lib/base/env";
import type { Node } from "@/lib/http/reference/node";
import { readDocument } from "@/lib/http/reference/read-document";
import {
  type ApiReference,
  type Chapter,
  type OperationReference,
  readReference,
} from "@/lib/http/reference/read-reference";
import { remember } from "./remember";

const parsed = remember((text): ApiReference => {
  const reference = readReference(JSON.parse(text) as Node);
  return { ...reference, chapters: reference.chapters.map(readingOrder) };
});

/**
 * Sorts operations so that those that create something come before those that show it. Otherwise keeps the document's
 * order.
 */
function readingOrder(chapter: Chapter): Chapter {
  const makes = ({ id }: OperationReference) => id.startsWith("create");
  const { operations } = chapter;
  return { ...chapter, operations: [...operations.filter(makes), ...operations.filter((one) => !makes(one))] };
}

/** Returns the reference of the API that this service serves at `/openapi.json`. */
export async function apiReference(): Promise<ApiReference> {
  const origin = publicOrigin();
  return parsed(origin, JSON.stringify(await readDocument(process.cwd(), origin)));
}
