/**
 * Makes `instanceof` true for instances of every copy of a class. Next.js bundles routes apart from the server, so a
 * process has several copies, and what bundles share on `globalThis` throws errors of its own copy. Call it in a static
 * block of the class, and of each class that extends it.
 *
 * @param name of the class: the same in every copy, also after names were shortened
 */
export function acrossBundles(name: string, copy: abstract new (...args: never[]) => object): void {
  const brand = Symbol.for(`halcyon.${name}`);
  Object.defineProperty(copy.prototype, brand, { value: true });
  Object.defineProperty(copy, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      // A class that extends this one without a brand of its own inherits this function.
      if (this !== copy) return Function.prototype[Symbol.hasInstance].call(this as object, value);
      return typeof value === "object" && value !== null && brand in value;
    },
  });
}
