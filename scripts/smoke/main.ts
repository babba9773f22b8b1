/*
 * `npm run smoke:browsers`: runs a first visit, up to a payment, in Debian's Firefox and WebKitGTK, against a running
 * local stack (HALCYON_URL, by default http://localhost:3000). Needs
 * `apt-get install firefox-esr webkit2gtk-driver xvfb`. Name browsers on the command line to run only these.
 */
import type { Driver } from "./driver";
import { startFirefox } from "./firefox";
import { firstVisit } from "./first-visit";
import { startWebKit } from "./webkit";

const url = process.env.HALCYON_URL ?? "http://localhost:3000";
const BROWSERS: Record<string, () => Promise<Driver>> = { firefox: startFirefox, webkit: startWebKit };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BROWSERS));
if (unknown.length > 0) throw new Error(`${unknown.join(", ")}: name ${Object.keys(BROWSERS).join(" or ")}`);

let failed = 0;
let passed = 0;
for (const [name, start] of Object.entries(BROWSERS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const begun = Date.now();
  let driver: Driver | undefined;
  try {
    driver = await start();
    await firstVisit(driver, url);
    passed += 1;
    console.log(`${driver.name}: a first visit to a payment in ${Math.round((Date.now() - begun) / 1000)} s`);
  } catch (error) {
    failed += 1;
    console.error(`${driver?.name ?? name}: ${error instanceof Error ? error.message : error}`);
  } finally {
    await driver?.close();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
