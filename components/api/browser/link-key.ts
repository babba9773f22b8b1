/** The session-storage name of a link's key. It survives sign-in and reloads, and is gone with the tab. */
const placeOf = (id: string) => `halcyon link ${id}`;

function stored(id: string): string | null {
  try {
    return sessionStorage.getItem(placeOf(id));
  } catch {
    return null;
  }
}

/**
 * Moves the key from the page's address to this tab's storage, so that neither the history nor a screenshot of the
 * address bar shows it.
 *
 * @returns null if there is none
 */
export function takeLinkKey(id: string): string | null {
  const text = location.hash.slice(1);
  if (text === "") return stored(id);
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    sessionStorage.setItem(placeOf(id), text);
  } catch {
    // Without storage the key is needed again after a reload.
  }
  return text;
}

/** Deletes the key of a link, after it was paid. */
export function forgetLinkKey(id: string): void {
  try {
    sessionStorage.removeItem(placeOf(id));
  } catch {
    // Storage is unavailable, so there is nothing to delete.
  }
}
