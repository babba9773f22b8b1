import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../stack/config";

const FRAMES = path.join(ROOT, "docs/tour");
const SCREENS = path.join(ROOT, "public/screens");
const MOST_BYTES = 200_000;
/** The address that the pictures show, whatever address the tour used. */
const SHOWN = "http://localhost:3000";
const INTRODUCTION = `# A tour in frames

\`npm run tour\` drives a browser through the product and takes these pictures: sign-up with the test wallet, a payment,
an agent, an approval, a webhook. [States](states.md) shows screens empty, loading, full and failing.
`;

/** Takes numbered frames of a page, with a sentence for each. */
export class Camera {
  private readonly frames: { file: string; sentence: string }[] = [];

  /** @param url of the product */
  constructor(
    private readonly page: Page,
    private readonly url: string,
  ) {
    rmSync(FRAMES, { recursive: true, force: true });
    for (const folder of [FRAMES, SCREENS]) mkdirSync(folder, { recursive: true });
  }

  /** Takes the next frame. */
  async frame(name: string, sentence: string): Promise<void> {
    const file = `${String(this.frames.length + 1).padStart(2, "0")}-${name}.png`;
    await this.shoot(path.join(FRAMES, file));
    this.frames.push({ file, sentence });
    console.log(`${file}  ${sentence}`);
  }

  /** Takes a picture for the landing page and the README, light and dark. The light one is also the next frame. */
  async screen(name: string, sentence: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await this.shoot(path.join(SCREENS, `${name}-${colorScheme}.png`));
    }
    await this.page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    this.frames.push({ file: `../../public/screens/${name}-light.png`, sentence });
  }

  private async shoot(file: string): Promise<void> {
    // Wait for animations.
    await this.page.waitForTimeout(300);
    await this.page.evaluate(rename, [this.url, SHOWN] as const);
    await this.page.screenshot({ path: file });
    await this.page.evaluate(rename, [SHOWN, this.url] as const);
    const { size } = statSync(file);
    if (size > MOST_BYTES) throw new Error(`${path.basename(file)} has ${size} bytes, more than ${MOST_BYTES}`);
  }

  /** Writes the page that shows the frames. */
  finish(): void {
    const shown = this.frames.map(
      ({ file, sentence }, at) => `\n${at + 1}. ${sentence}\n\n   ![${sentence}](${file})\n`,
    );
    writeFileSync(path.join(FRAMES, "README.md"), INTRODUCTION + shown.join(""));
  }
}

/** Runs in the page: replaces one address by another in all texts. */
function rename([from, to]: readonly [string, string]): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.nodeValue?.includes(from)) text.nodeValue = text.nodeValue.replaceAll(from, to);
  }
}
