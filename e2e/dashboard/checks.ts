import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENS = path.resolve(import.meta.dirname, "../../test-results/screens");
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const SCHEMES = ["light", "dark"] as const;

/** Waits until nothing moves into place any more; a second at most, for an animation out of sight may never end. */
async function still(page: Page): Promise<void> {
  await page.evaluate(() => {
    const finite = ({ effect }: Animation) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    const ended = document
      .getAnimations()
      .filter(finite)
      .map(({ finished }) => finished.catch(() => {}));
    return Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 1_000))]).then(() => {});
  });
}

/** No rule of axe is broken by what the page shows now, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await still(page);
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      interface Violation {
        id: string;
        help: string;
        nodes: { html: string; failureSummary?: string }[];
      }
      const { violations } = await axe.run();
      return violations.map(({ id, help, nodes }) => ({
        rule: `${id}: ${help}`,
        where: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
      }));
    });
    expect(violations, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Keeps pictures of the page: phone and desktop, light and dark. */
export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await still(page);
      await page.screenshot({ path: path.join(SCREENS, `${name}-${size.width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
