/** A browser that is driven. */
export interface Driver {
  /** What its owner calls it, with its version. */
  name: string;
  open(url: string): Promise<void>;
  /**
   * Runs the body of a function in the page.
   *
   * @returns what it returns, a string at most
   */
  run(body: string): Promise<string>;
  close(): Promise<void>;
}

const PAUSE_MS = 250;
const MOST_MS = 120_000;

/**
 * Runs a body in the page until it returns something.
 *
 * @param what is waited for, in words
 */
export async function until(driver: Driver, what: string, body: string): Promise<string> {
  const deadline = Date.now() + MOST_MS;
  for (;;) {
    // A page that is being left runs nothing.
    const said = await driver.run(body).catch(() => "");
    if (said !== "") return said;
    if (Date.now() > deadline) {
      const seen = await driver.run("return document.body.innerText.slice(0, 1500)").catch(() => "nothing");
      throw new Error(`${driver.name}: ${what} never came. The page says:\n${seen}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
