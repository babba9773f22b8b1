/** Returns the anchor of a heading: `4. Create an API key` becomes `create-an-api-key`. */
export function slugOf(heading: string): string {
  return lettersOf(heading.replace(/^\d+\.\s+/, ""));
}

/** Converts a name to kebab case: `createTransfer` becomes `create-transfer`. */
export function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the address at which the reference describes an operation: `/docs/api/transfers#create-transfer`. */
export function operationHref(chapter: string, operation: string): string {
  return `/docs/api/${slugOf(chapter)}#${kebabOf(operation)}`;
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`'’]/g, "")
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
