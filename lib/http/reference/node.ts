/** A value of the OpenAPI document. */
export type Node = null | boolean | number | string | Node[] | NodeObject;
export interface NodeObject {
  [key: string]: Node;
}

/** Returns an object's value under a key; undefined if the node is not an object. */
export function at(node: Node | undefined, key: string): Node | undefined {
  return typeof node === "object" && node !== null && !Array.isArray(node) ? node[key] : undefined;
}

/** Returns the list under a key; empty if there is none. */
export function list(node: Node | undefined, key: string): Node[] {
  const value = at(node, key);
  return Array.isArray(value) ? value : [];
}

/** Returns the text under a key; empty if there is none. */
export function text(node: Node | undefined, key: string): string {
  const value = at(node, key);
  return typeof value === "string" ? value : "";
}

/** Returns the target of a node's `$ref` within the document, or the node itself if it has none. */
export function resolve(document: Node, node: Node | undefined): Node {
  const reference = at(node, "$ref");
  if (typeof reference !== "string") return node ?? null;
  const target = reference
    .slice("#/".length)
    .split("/")
    .reduce<Node | undefined>((found, key) => at(found, key), document);
  return resolve(document, target);
}
