/** A value of the OpenAPI document. */
export type Node = null | boolean | number | string | Node[] | NodeObject;
export interface NodeObject {
  [key: string]: Node;
}

/** What an object has under a key; undefined of anything else. */
export function at(node: Node | undefined, key: string): Node | undefined {
  return typeof node === "object" && node !== null && !Array.isArray(node) ? node[key] : undefined;
}

/** A list under a key, empty when there is none. */
export function list(node: Node | undefined, key: string): Node[] {
  const value = at(node, key);
  return Array.isArray(value) ? value : [];
}

/** A text under a key, empty when there is none. */
export function text(node: Node | undefined, key: string): string {
  const value = at(node, key);
  return typeof value === "string" ? value : "";
}

/** What a `$ref` leads to within its document, else the node itself. */
export function resolve(document: Node, node: Node | undefined): Node {
  const reference = at(node, "$ref");
  if (typeof reference !== "string") return node ?? null;
  const target = reference
    .slice("#/".length)
    .split("/")
    .reduce<Node | undefined>((found, key) => at(found, key), document);
  return resolve(document, target);
}
