/*
 * The router loads a page afresh when a render does not come as one: from a service of another version, which is right,
 * and from a proxy that says that there is no service, whose response would replace the page. So the service is asked
 * first. Browsers without the Navigation API load the page as before.
 */

import { serviceResponds } from "./service-watch";

/** What is used of the event `navigate` (HTML, 7.2.8). */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  userInitiated: boolean;
  destination: { url: string; sameDocument: boolean };
  formData: unknown;
  /** The file name of a download; null if it is none. */
  downloadRequest?: string | null;
}

/**
 * Keeps the page while the service does not respond; once it does, the page is rendered again (`ConnectionBar`).
 * Returns a function that ends this.
 *
 * @param chosen returns the address of the page that was chosen and has not come, or null: a render of the page that is
 * shown, which failed meanwhile, must not take its place
 */
export function keepPage(chosen: () => string | null = () => null): () => void {
  const { navigation } = globalThis as { navigation?: EventTarget };
  if (!navigation) return () => {};
  let allowed = false;
  const onNavigate = (event: Event) => {
    const { navigationType, userInitiated, destination, formData, cancelable, downloadRequest } =
      event as NavigateEvent;
    const { url, sameDocument } = destination;
    if (typeof downloadRequest === "string") return;
    if (allowed || !cancelable || userInitiated || sameDocument || formData || navigationType === "traverse") return;
    if (new URL(url).origin !== location.origin) return;
    event.preventDefault();
    void serviceResponds().then((responds) => {
      if (!responds) return;
      allowed = true;
      location.assign(chosen() ?? url);
    });
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => navigation.removeEventListener("navigate", onNavigate);
}
