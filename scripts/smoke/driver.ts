/** A browser under the test's control. */
export interface Driver {
  /** Its product name and version. */
  name: string;
  open(url: string): Promise<void>;
  /**
   * Runs the body of a function in the page.
   *
   * @returns the function's result, at most a string
   */
  run(body: string): Promise<string>;
  close(): Promise<void>;
}

const PAUSE_MS = 250;
const MOST_MS = 120_000;

/**
 * Runs a function body in the page repeatedly until it returns something.
 *
 * @param what describes what is waited for
 */
export async function until(driver: Driver, what: string, body: string): Promise<string> {
  const deadline = Date.now() + MOST_MS;
  for (;;) {
    // Scripts fail while the page is being left.
    const said = await driver.run(body).catch(() => "");
    if (said !== "") return said;
    if (Date.now() > deadline) {
      const seen = await driver.run("return document.body.innerText.slice(0, 1500)").catch(() => "nothing");
      throw new Error(`${driver.name}: ${what} never came. The page says:\n${seen}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
