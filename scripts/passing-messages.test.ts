import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourceFiles } from "./architecture/imports";

/** What a page says for a few seconds when something was done: titles of toasts, by their longest fixed part. */
function passingMessages(): string[] {
  const messages = ["Copied"];
  for (const file of sourceFiles("components")) {
    if (file.includes(".test.")) continue;
    for (const [, title = ""] of readFileSync(file, "utf8").matchAll(/toast\.(?:success|notice)\(([^,]*?)(?:,|\);)/g)) {
      for (const [, text = "", template = ""] of title.matchAll(/"([^"]+)"|`([^`]+)`/g)) {
        const parts = (text || template).split(/\$\{[^}]*\}/).map((part) => part.trim());
        messages.push(parts.reduce((longest, part) => (part.length > longest.length ? part : longest)));
      }
    }
  }
  return messages;
}

/** Returns the lines of a test that look for such a message on the page, where it may have gone. */
function looks(text: string, messages: readonly string[]): string[] {
  const ends = (line: string, message: string) =>
    line.split(message).some((rest, at) => at > 0 && /^\\?\.?["'`/]/.test(rest));
  const looking = /getByText|hasText|toContainText|toHaveText/;
  return text.split("\n").filter((line) => looking.test(line) && messages.some((message) => ends(line, message)));
}

test("no browser test looks for a message that goes by itself: it expects that it was announced", () => {
  const messages = passingMessages();
  expect(messages).toEqual(
    expect.arrayContaining(["Webhook deleted", "is forgotten", "sessions ended", "Guard is off"]),
  );
  const looking = sourceFiles("e2e").flatMap((file) =>
    looks(readFileSync(file, "utf8"), messages).map((line) => `${file}: ${line.trim()}`),
  );
  expect(looking, "use expectAnnounced() of e2e/announcements.ts").toEqual([]);
  const planted = [
    'await expect(page.getByText("Guard is on")).toBeVisible();',
    "hasText: /Copied/",
    "getByText(`Copied`)",
  ];
  expect(looks(planted.join("\n"), messages)).toEqual(planted);
});
