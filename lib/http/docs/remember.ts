/**
 * Returns a version of `make` that caches its result per key until the text changes. A page of the documentation is
 * read from disk on every request, but parsed only if it has changed.
 */
export function remember<T>(make: (text: string, key: string) => T): (key: string, text: string) => T {
  const remembered = new Map<string, { text: string; value: T }>();
  return (key, text) => {
    const before = remembered.get(key);
    if (before?.text === text) return before.value;
    const value = make(text, key);
    remembered.set(key, { text, value });
    return value;
  };
}
