/** Where this tab keeps the key of a link while someone signs in or loads the page again; gone with the tab. */
const placeOf = (id: string) => `halcyon payment request ${id}`;

function stored(id: string): string | null {
  try {
    return sessionStorage.getItem(placeOf(id));
  } catch {
    return null;
  }
}

/**
 * Takes the key out of the page's address, so that it is neither in the history nor on a screenshot of the address bar. This
 * tab keeps it.
 *
 * @returns null when there is none
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

/** Forgets the key of a link: it was paid. */
export function forgetLinkKey(id: string): void {
  try {
    sessionStorage.removeItem(placeOf(id));
  } catch {
    // Nothing was kept.
  }
}
