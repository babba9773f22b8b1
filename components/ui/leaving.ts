/*
 * Holds a page that is about to be left with unsaved work. Covers links, the router's own navigation and the browser's
 * Back and Forward. A reload or a closed tab leaves the document, so the browser itself asks.
 */

/** Asks the person. `go` leaves the page. */
type Ask = (go: () => void) => void;

/** What holds the page, the newest last, which decides. */
const holding: { ask: Ask; onPopState: (event: PopStateEvent) => void }[] = [];

// Registered when this module loads, before the router: listeners run in the order in which they were added.
if (typeof window !== "undefined") addEventListener("popstate", (event) => holding.at(-1)?.onPopState(event));

/** Goes to a page, after the person agrees to leave this one. */
export function leaveFor(href: string, go: () => void): void {
  const { pathname } = new URL(href, location.href);
  const held = holding.at(-1);
  if (held && pathname !== location.pathname) held.ask(go);
  else go();
}

function holdLinks(ask: Ask, follow: (href: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    if (holding.at(-1)?.ask !== ask) return;
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
  // Runs before the router's own listener, which would follow the link.
  document.addEventListener("click", onClick, { capture: true });
  return () => document.removeEventListener("click", onClick, { capture: true });
}

/**
 * Holds Back and Forward. If the browser lets a page cancel them (Navigation API), nothing has changed when the person
 * is asked. Otherwise, or if the browser does not allow another cancellation, this undoes the step before the router
 * sees it.
 */
function holdHistory(ask: Ask): { onPopState: (event: PopStateEvent) => void; end: () => void } {
  const { pathname } = location;
  const navigation = "navigation" in window ? window.navigation : undefined;
  const home = navigation?.currentEntry?.index;
  let leaving = false;
  let returning = false;
  const onNavigate = (event: NavigateEvent) => {
    const { navigationType, cancelable, destination } = event;
    if (holding.at(-1)?.ask !== ask) return;
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
    // Not every browser reports the direction. Assume Back, which is more common.
    const steps = home === undefined || now === undefined ? 1 : home - now;
    returning = true;
    history.go(steps);
    ask(() => {
      leaving = true;
      history.go(-steps);
    });
  };
  navigation?.addEventListener("navigate", onNavigate);
  return { onPopState, end: () => navigation?.removeEventListener("navigate", onNavigate) };
}

/**
 * Holds this page until the person agrees to leave it.
 *
 * @param follow goes to an address of the dashboard
 * @param options.unload whether the browser also asks before a reload or a closed tab; true by default
 * @returns a function that releases the page
 */
export function holdPage(ask: Ask, follow: (href: string) => void, { unload = true } = {}): () => void {
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  const history = holdHistory(ask);
  const ends = [holdLinks(ask, follow), history.end];
  const own = { ask, onPopState: history.onPopState };
  holding.push(own);
  if (unload) addEventListener("beforeunload", onUnload);
  return () => {
    holding.splice(holding.indexOf(own), 1);
    removeEventListener("beforeunload", onUnload);
    for (const end of ends) end();
  };
}
