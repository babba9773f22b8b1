import { type BrowserContext, expect, type Page } from "@playwright/test";

/** What {@link recordAnnouncements} keeps in each page. */
type Recording = typeof globalThis & { announced?: string[] };

/**
 * Makes the pages of a context record what their live regions say: on a busy machine a message that goes by itself has
 * gone before a test looks. Call it before the page is opened. The tests of the dashboard have it (fixtures.ts).
 */
export async function recordAnnouncements(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    const LIVE = '[role="status"], [role="alert"], [aria-live]';
    const say = (element: Element | null | undefined) => {
      // biome-ignore lint/performance/useDomNodeTextContent: as it is drawn, since what is hidden is not said
      const text = element instanceof HTMLElement ? element.innerText.trim() : "";
      if (text !== "") announced.push(text);
    };
    const isLive = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest(LIVE);
    new MutationObserver((records) => {
      for (const { target, addedNodes, type } of records) {
        if (type === "characterData" && isLive(target)) say(target.parentElement);
        for (const node of addedNodes) {
          if (isLive(node)) say(node instanceof Element ? node : node.parentElement);
          else if (node instanceof Element) for (const live of node.querySelectorAll(LIVE)) say(live);
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Returns what the page's live regions have said since it was loaded, without what a test has taken. */
export async function announcements(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => (globalThis as Recording).announced);
  if (!said) throw new Error("this page records no announcements: call recordAnnouncements() before it is opened");
  return said;
}

/**
 * Waits until a live region of the page has said this since the page was loaded, whether or not it still does. Takes
 * it, so that it is not mistaken for a later one.
 *
 * @param text what it contains
 */
export async function expectAnnounced(page: Page, text: string): Promise<void> {
  await expect.poll(() => announcements(page), "what the page announced").toContainEqual(expect.stringContaining(text));
  const at = (await announcements(page)).findIndex((said) => said.includes(text));
  await page.evaluate((taken) => (globalThis as Recording).announced?.splice(taken, 1), at);
}
