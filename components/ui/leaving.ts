/*
 * What a page holds back that is about to be left: links, the router's own moves and the browser's Back and Forward.
 * Only what stays in this document is held here; a reload or a closed tab is the browser's to ask about.
 */

/** Asks the person; `go` leaves after all. */
export type Ask = (go: () => void) => void;

let held: Ask | null = null;
let stepped: ((event: PopStateEvent) => void) | null = null;

// Listens from when this is loaded, before the router does: listeners of the window are called in the order they came.
if (typeof window !== "undefined") addEventListener("popstate", (event) => stepped?.(event));

/** Goes to a page, once the person agrees to leave this one. */
export function leaveFor(href: string, go: () => void): void {
  const { pathname } = new URL(href, location.href);
  if (held && pathname !== location.pathname) held(go);
  else go();
}

function holdLinks(ask: Ask, follow: (href: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || link.target === "_blank" || link.origin !== location.origin) return;
    if (link.pathname === location.pathname) return;
    event.preventDefault();
    event.stopPropagation();
    const { pathname, search } = link;
    ask(() => follow(pathname + search));
  };
  // Before the router's own listener, which would follow the link.
  document.addEventListener("click", onClick, { capture: true });
  return () => document.removeEventListener("click", onClick, { capture: true });
}

/**
 * Holds Back and Forward. Where the browser lets a page refuse them (Navigation API), nothing has changed when the
 * person is asked; elsewhere, and where it refuses a second refusal, the step is taken back before the router hears of
 * it.
 */
function holdHistory(ask: Ask): () => void {
  const { pathname } = location;
  const navigation = "navigation" in window ? window.navigation : undefined;
  const home = navigation?.currentEntry?.index;
  let leaving = false;
  let returning = false;
  const onNavigate = (event: NavigateEvent) => {
    const { navigationType, cancelable, destination } = event;
    if (leaving || returning || navigationType !== "traverse" || !cancelable) return;
    if (!destination.sameDocument || new URL(destination.url).pathname === pathname) return;
    event.preventDefault();
    ask(() => {
      leaving = true;
      navigation?.traverseTo(destination.key);
    });
  };
  const onPopState = (event: PopStateEvent) => {
    if (leaving) return;
    if (returning) {
      returning = false;
      event.stopImmediatePropagation();
      return;
    }
    if (location.pathname === pathname) return;
    event.stopImmediatePropagation();
    const now = navigation?.currentEntry?.index;
    // Not every browser reports the direction: mostly it is Back.
    const steps = home === undefined || now === undefined ? 1 : home - now;
    returning = true;
    history.go(steps);
    ask(() => {
      leaving = true;
      history.go(-steps);
    });
  };
  navigation?.addEventListener("navigate", onNavigate);
  stepped = onPopState;
  return () => {
    navigation?.removeEventListener("navigate", onNavigate);
    stepped = null;
  };
}

/**
 * Holds this page until the person agrees to leave it.
 *
 * @param follow goes to an address of the dashboard
 * @param options.unload whether the browser asks as well before a reload or a closed tab; it does when left out
 * @returns what ends that
 */
export function holdPage(ask: Ask, follow: (href: string) => void, { unload = true } = {}): () => void {
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  const ends = [holdLinks(ask, follow), holdHistory(ask)];
  held = ask;
  if (unload) addEventListener("beforeunload", onUnload);
  return () => {
    held = null;
    removeEventListener("beforeunload", onUnload);
    for (const end of ends) end();
  };
}
