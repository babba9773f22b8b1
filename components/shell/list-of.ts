/**
 * Returns the path of a page, below its network, as far as it names no object: an object's page leads to the list that
 * it is in. Empty for the overview.
 */
export function listOf(pathname: string): string {
  const [, , ...parts] = pathname.split("/");
  const object = parts.findIndex((part) => /^[a-z]+_/.test(part));
  if (object < 0) return parts.length === 0 ? "" : `/${parts.join("/")}`;
  const list = parts.slice(0, object).join("/");
  // Deliveries are listed on the page of all webhooks.
  return `/${list.replace(/\/deliveries$/, "")}`;
}
