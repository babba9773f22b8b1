/*
 * Checks the licenses of everything the product contains against those that we may ship (scripts/licenses/policy.ts),
 * and writes THIRD_PARTY_NOTICES.
 *   npm run licenses                writes it
 *   npm run licenses -- --check     fails if the committed file differs
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { NOTICES, productNotices } from "./licenses/notices";
import { productionPackages } from "./licenses/packages";
import { faultsOf } from "./licenses/policy";
import { sourceFaults } from "./licenses/sources";

const faults = [...faultsOf(productionPackages()), ...sourceFaults()];
const text = productNotices();
if (!process.argv.includes("--check")) writeFileSync(NOTICES, text);
else if (!existsSync(NOTICES) || readFileSync(NOTICES, "utf8") !== text) {
  faults.push("THIRD_PARTY_NOTICES is not what the lock file says. Run: npm run licenses");
}
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log("licenses ok");
process.exit(faults.length > 0 ? 1 : 0);
