import { apiReference } from "./api-reference";
import { navigation } from "./navigation";

/** Returns the path of every page below /docs: guides, reference, and a page per error. */
export async function docsPages(): Promise<string[]> {
  const reference = await apiReference();
  const pages = navigation(reference).flatMap((section) => section.pages.map(({ href }) => href));
  return ["/docs", ...pages, ...reference.errors.map(({ code }) => `/docs/errors/${code}`)];
}
