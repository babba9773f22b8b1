const VALUE = /^export (?:default )?(?:async )?(function\*?|const|let|class) (\w+)(.*)/gm;

/** Returns the name of a source's only exported value if that is a function or class; undefined otherwise. */
export function singleExport(source: string): string | undefined {
  const [only, ...more] = source.matchAll(VALUE);
  const [, kind, name = "", rest = ""] = only ?? [];
  if (kind === undefined || more.length > 0) return undefined;
  const isFunction = kind !== "const" || /^[^=]*= (?:async )?(?:<[^>]+>)?\(/.test(rest);
  return isFunction && kind !== "let" && !/^[A-Z_]+$/.test(name) ? name : undefined;
}

/** Converts a name to the form of file names: `readThing` to `read-thing`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
