import { apiReference } from "@/lib/http/docs/api-reference";
import { operationsOf } from "@/lib/http/docs/related";
import { OperationLinks } from "./operation-links";

/** The API operations that a guide is about. */
export async function RelatedOperations({ slug }: { slug: string }) {
  const operations = operationsOf(slug, await apiReference());
  if (operations.length === 0) return null;
  return (
    <nav className="docs-related" aria-labelledby="api-reference">
      <h2 id="api-reference">API reference</h2>
      <OperationLinks operations={operations} />
    </nav>
  );
}
