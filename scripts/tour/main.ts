/*
 * `npm run tour`: drives a browser through the running product (HALCYON_URL, by default http://localhost:3000) and
 * stores frames in docs/tour and pictures in public/screens. Starts the local stack if nothing responds at that
 * address.
 */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { chromium } from "@playwright/test";
import { chromiumLaunch } from "@/e2e/chromium";
import { ROOT } from "../stack/config";
import { Camera } from "./camera";
import { takeStates } from "./states";
import { agent, approval, payment, signUp, webhook } from "./steps";

const url = process.env.HALCYON_URL ?? "http://localhost:3000";
const START_MS = 300_000;

/** Returns the status of a path; null if nothing listens there. */
async function statusOf(path: string): Promise<number | null> {
  return fetch(`${url}${path}`).then(
    ({ status }) => status,
    () => null,
  );
}

/** Starts the stack. Returns null if it was already running. */
async function stack(): Promise<ChildProcess | null> {
  if ((await statusOf("/healthz")) !== null) return null;
  const env = { ...process.env, PORT: new URL(url).port };
  const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs")], { cwd: ROOT, env, stdio: "inherit" });
  const deadline = Date.now() + START_MS;
  while ((await statusOf("/readyz")) !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`nothing answers on ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return child;
}

const started = await stack();
const browser = await chromium.launch(await chromiumLaunch());
try {
  const viewport = { width: 1440, height: 904 };
  const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const begun = Date.now();
  const tour = { page, camera: new Camera(page, url), url };
  const key = await signUp(tour);
  await payment(tour);
  const agentKey = await agent(tour);
  await approval(tour, agentKey);
  await webhook(tour, key);
  tour.camera.finish();
  await takeStates(browser, url, page);
  console.log(`The tour took ${Math.round((Date.now() - begun) / 1000)} s.`);
} catch (error) {
  const [page] = browser.contexts().flatMap((context) => context.pages());
  await page?.screenshot({ path: path.join(ROOT, "test-results/tour-failed.png") });
  throw error;
} finally {
  await browser.close();
  started?.kill("SIGTERM");
}
