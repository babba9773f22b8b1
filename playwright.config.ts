import { defineConfig } from "@playwright/test";
import { chromiumLaunch } from "./e2e/chromium";

/** `npm test` starts the product and says where it is. */
const baseURL = process.env.HALCYON_URL ?? "http://localhost:3000";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/lent-accounts.ts",
  fullyParallel: true,
  // They wait for chains and pages more than they compute. More would only load more clients and create more accounts,
  // because other parts of `npm test` compute beside them.
  workers: 5,
  retries: 0,
  forbidOnly: true,
  // They only end a test that hangs: how fast things are is measured by the bench.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  outputDir: ".cache/test-results",
  use: {
    baseURL,
    browserName: "chromium",
    // Without them, a step waits for the whole test's time, and the failure doesn't name it.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: await chromiumLaunch(),
    // A copy of the page after each step, for a person who looks into a failure: it costs more than many a test.
    trace: process.env.HALCYON_TRACE ? { mode: "retain-on-failure", screenshots: false, sources: false } : "off",
    // Drawn without a graphics card, what turns and pulses costs more than what is tested.
    contextOptions: { reducedMotion: "reduce" },
  },
});
