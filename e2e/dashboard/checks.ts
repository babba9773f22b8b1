import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { twMerge } from "tailwind-merge";
import { productURL } from "../account";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENS = path.resolve(import.meta.dirname, "../../test-results/screens");
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;
const SCHEMES = ["light", "dark"] as const;

/** Waits until nothing moves any more, but at most a second: an animation out of sight may never end. */
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

/** axe's color rules (tag `cat.color`). The themes differ in nothing else. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Fails if an element has two Tailwind classes of which one overrides the other. */
async function expectNoClassConflicts(page: Page): Promise<void> {
  const rendered = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll("[class]")].map((element) => element.getAttribute("class") ?? "")),
  ]);
  const conflicts = rendered
    .map((text) => text.trim().replace(/\s+/g, " "))
    .flatMap((text) => {
      const kept = new Set(twMerge(text).split(" "));
      const overridden = text.split(" ").filter((name) => !kept.has(name));
      return overridden.length > 0 ? [`${overridden.join(" ")} in "${text}"`] : [];
    });
  expect(conflicts, `${page.url()}: Tailwind classes without effect`).toEqual([]);
}

interface Violation {
  rule: string;
  where: string[];
}

/** Returns what axe finds on the current page. */
async function violationsOn(page: Page, rules: string[] | undefined): Promise<Violation[]> {
  await still(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } };
    interface Found {
      id: string;
      help: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { violations } = await axe.run({ resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) });
    return violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      where: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    }));
  }, rules);
}

/**
 * Expects that the current page violates no axe rule, the color rules in both themes, and that no class of an element
 * overrides another.
 *
 * @param rules axe's rules or tags, if not those that it runs by default
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  await expectNoClassConflicts(page);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const ran = colorScheme === "light" ? rules : OF_COLOURS;
    let violations = await violationsOn(page, ran);
    // A message that is fading out is pale for a moment. Real violations persist, so check again.
    if (violations.length > 0) violations = await violationsOn(page, ran);
    expect(violations, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/**
 * Collects a page's problems: console errors (including policy violations), exceptions, and requests to other hosts.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /Content Security Policy/.test(message.text()))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${productURL}/`) && !/^(data|blob):/.test(url)) complaints.push(`asked ${url}`);
  });
  return complaints;
}

/**
 * Waits until the page has loaded, no script is on its way, and nothing more has loaded for half a second. Playwright's
 * own state for this, `networkidle`, never comes if a slow page loads something late in parsing
 * (microsoft/playwright#42598).
 */
export async function loaded(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(() => {
      const ended = performance.getEntriesByType("resource").map(({ name }) => name);
      const wanted = [...document.scripts].filter(({ src, noModule }) => src && !noModule);
      return { ended: ended.length, loading: wanted.map(({ src }) => src).filter((src) => !ended.includes(src)) };
    });
  await page.waitForLoadState("load");
  await expect(async () => {
    const { ended } = await state();
    await page.waitForTimeout(500);
    expect(await state()).toEqual({ ended, loading: [] });
  }).toPass({ timeout: 60_000 });
}

/** Bytes of each script, compressed with gzip: the limits are older than the compression that browsers get now. */
const sizes = new Map<string, number>();

/** Returns the kilobytes of JavaScript that the page has loaded, compressed with gzip. */
export async function scriptKilobytes(page: Page): Promise<number> {
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const scripts = [...new Set(loaded)].filter((name) => new URL(name).pathname.endsWith(".js"));
  for (const script of scripts.filter((name) => !sizes.has(name))) {
    const { ok, headers } = await fetch(script, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect([ok, headers.get("content-encoding")], script).toEqual([true, "gzip"]);
    sizes.set(script, Number(headers.get("content-length")));
  }
  return scripts.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) / 1_000;
}

/** Returns the page's cumulative layout shift since it began to load. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );
}

type Size = (typeof SIZES)[number];
type Scheme = (typeof SCHEMES)[number];

/** Saves screenshots of a page if wanted: phone and desktop, light and dark. */
export async function shot(page: Page, name: string): Promise<void> {
  await pictures(
    page,
    name,
    SIZES.flatMap((size) => SCHEMES.map((scheme) => [size, scheme] as const)),
  );
}

/**
 * Saves screenshots of a state of a page, such as a dialog, that {@link shot} already shows: phone in light, desktop in
 * dark.
 */
export async function shotOfState(page: Page, name: string): Promise<void> {
  await pictures(page, name, [
    [SIZES[0], "light"],
    [SIZES[1], "dark"],
  ]);
}

/** Saves screenshots if HALCYON_SCREENS is set. All of them take a tenth of the browser tests' time. */
async function pictures(page: Page, name: string, of: (readonly [Size, Scheme])[]): Promise<void> {
  if (!process.env.HALCYON_SCREENS) return;
  mkdirSync(SCREENS, { recursive: true });
  const before = page.viewportSize();
  for (const [size, colorScheme] of of) {
    if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await still(page);
    await page.screenshot({ path: path.join(SCREENS, `${name}-${size.width}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
