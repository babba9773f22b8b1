/** The anchor of a heading: `4. Create an API key` is `create-an-api-key`. */
export function slugOf(heading: string): string {
  return lettersOf(heading.replace(/^\d+\.\s+/, ""));
}

/** What the anchor of a numbered heading was while numbers were part of it; undefined for other headings. */
export function numberedSlugOf(heading: string): string | undefined {
  return /^\d+\.\s/.test(heading) ? lettersOf(heading) : undefined;
}

/** `createTransfer` is `create-transfer`. */
export function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Where the reference describes an operation: `/docs/api/transfers#create-transfer`. */
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
