import { readFile } from "node:fs/promises";
import path from "node:path";
import { addExamples } from "./add-examples";
import type { Node, NodeObject } from "./node";
import type { Recorded, RecordedExample } from "./recorded";

/** The OpenAPI document as the routes declare it, without examples. Written by `npm run openapi`. */
export const DOCUMENT_FILE = path.join("docs", "openapi.json");
/** The examples that the API tests recorded, one file per kind. */
const EXAMPLES_FOLDER = path.join("docs", "examples");

/**
 * Reads the examples that the API tests recorded.
 *
 * @param root of the repository
 */
export async function readExamples(root: string): Promise<Recorded> {
  const [operations, events, errors] = await Promise.all(
    ["operations", "events", "errors"].map(async (kind) => {
      return JSON.parse(await readFile(path.join(root, EXAMPLES_FOLDER, `${kind}.json`), "utf8")) as NodeObject;
    }),
  );
  return {
    operations: operations as unknown as Record<string, RecordedExample[]>,
    events: events ?? {},
    errors: errors ?? {},
  };
}

/**
 * Returns the document that a service serves at `/openapi.json`: with the recorded examples and with absolute links.
 *
 * @param root of the repository
 * @param origin the service's public origin
 */
export async function readDocument(root: string, origin: string): Promise<NodeObject> {
  const [text, recorded] = await Promise.all([readFile(path.join(root, DOCUMENT_FILE), "utf8"), readExamples(root)]);
  const document = addExamples(JSON.parse(text) as NodeObject, recorded);
  const servers = [{ url: origin, description: "The Halcyon service that serves this document." }];
  return { ...(withOrigin(document, origin) as NodeObject), servers };
}

const LINKS = ["doc_url", "url"];

/** Makes links absolute, also those in texts: generated clients show a description outside the site. */
function withOrigin(node: Node, origin: string): Node {
  if (Array.isArray(node)) return node.map((entry) => withOrigin(entry, origin));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (typeof value !== "string") return [key, withOrigin(value, origin)];
      if (key === "description") return [key, value.replaceAll("](/", `](${origin}/`)];
      return [key, LINKS.includes(key) && value.startsWith("/") ? `${origin}${value}` : value];
    }),
  );
}
