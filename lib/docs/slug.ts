/** The anchor of a heading: `Where a delivery comes from` is `where-a-delivery-comes-from`. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`'’]/g, "")
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** `createTransfer` is `create-transfer`. */
export function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
