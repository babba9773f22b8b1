/*
 * Which kept acts a dialog of some tab still has in hand: that dialog reports them. A lock of the browser says so to
 * the other tabs, and is gone with a tab that is closed or has crashed.
 */

const own = new Set<string>();
const nameOf = (id: string) => `halcyon.payment.${id}`;

/** Takes an act in hand; returns what lets go of it. */
export function takeInHand(id: string): () => void {
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

/** Whether a dialog of this tab has it in hand. */
export function isInHand(id: string): boolean {
  return own.has(id);
}

/** Of these acts, those some tab has in hand. */
export async function allInHand(ids: readonly string[]): Promise<Set<string>> {
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return new Set(ids.filter((id) => own.has(id) || names.has(nameOf(id))));
}
