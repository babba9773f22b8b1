import { test } from "@playwright/test";
import { awayFromMidnight as away } from "@/test/accounts/away-from-midnight";

/** Waits, at the start of a test, until the UTC day has some minutes left. The test gets as much more time. */
export const awayFromMidnight = () => away((ms) => test.setTimeout(test.info().timeout + ms));
