import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { EventResource } from "@/lib/events/payloads";
import { samplePayload } from "@/lib/events/webhooks/sample-payload";
import { objectOf } from "./object-of";

const PAGES = "app/(dashboard)/[network]";

/** Whether a page of the dashboard has this address. */
function isPage(href: string): boolean {
  const folder = href
    .replace(/\?.*/, "")
    .split("/")
    .slice(2)
    .reduce((at, part) => {
      if (existsSync(`${at}/${part}`)) return `${at}/${part}`;
      const [named] = readdirSync(at).filter((name) => name.startsWith("["));
      return `${at}/${named}`;
    }, PAGES);
  return existsSync(`${folder}/page.tsx`);
}

test("an event of each type leads to the page of what it is about, by the id in its payload", () => {
  for (const type of EVENT_TYPES) {
    const event = samplePayload(type, "evt_1", "ada", new Date(0)) as EventResource;
    const { href } = objectOf(event, "test");
    expect(isPage(href), `${type}: ${href}`).toBe(true);
    const about = Object.entries(event).filter(([name]) => name.endsWith("_id") && name !== "event_id");
    const isNamed = about.some(([, id]) => href.includes(String(id)));
    // A policy and a key have no page of their own, and a payment key is in the settings.
    const isInList = about.length === 0 || /^(agent\.policy|key)\./.test(type);
    expect(isNamed || isInList, `${type}: ${href}`).toBe(true);
  }
});
