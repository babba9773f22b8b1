/*
 * Tracks which pending acts a dialog of some tab still reports. Each is a Web Lock, which other tabs can see and which
 * is released when its tab closes or crashes.
 */

const own = new Set<string>();
const nameOf = (id: string) => `halcyon.payment.${id}`;

/** Marks an act as reported by this tab's dialog. Returns a function that releases it. */
export function showInDialog(id: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  own.add(id);
  void navigator.locks.request(nameOf(id), () => released);
  return () => {
    own.delete(id);
    release();
  };
}

/** Returns whether a dialog of this tab reports the act. */
export function isInOpenDialog(id: string): boolean {
  return own.has(id);
}

/** Returns which of these acts a dialog of any tab reports. */
export async function actsInOpenDialogs(ids: readonly string[]): Promise<Set<string>> {
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return new Set(ids.filter((id) => own.has(id) || names.has(nameOf(id))));
}
