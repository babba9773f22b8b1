import { expect, type Locator, type Page } from "@playwright/test";

/** Keeps a page's scripts from loading until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = "**/_next/static/**/*.js";
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(scripts, async (route) => {
    await arrived;
    await route.continue().catch(() => {});
  });
  return async () => {
    arrive();
    await page.unroute(scripts);
  };
}

/**
 * Presses a button or switch while the scripts are held. If the page moves under a press, people press again. So does
 * this.
 */
export async function pressEarly(control: Locator): Promise<void> {
  await expect(async () => {
    await control.click({ timeout: 2_000 });
    const remembered = (element: Element) => Reflect.get(window, "halcyonPressed") === element;
    expect(await control.evaluate(remembered)).toBe(true);
  }).toPass();
}
