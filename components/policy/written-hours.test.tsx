import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { WrittenHours } from "./written-hours";

const reader = vi.hoisted(() => ({ locale: "en-US" }));
vi.mock("@/components/ui/time", async (original) => ({
  ...(await original<typeof import("@/components/ui/time")>()),
  useReader: () => ({ zone: "UTC", ...reader }),
}));

const written = (text: string) => renderToStaticMarkup(<WrittenHours>{text}</WrittenHours>).replaceAll("\u202f", " ");

test("hours of a policy are written as the reader writes times", () => {
  reader.locale = "en-US";
  expect(written("To *.acme.com, 09:00-18:00 Berlin; above 20 you are asked.")).toBe(
    "To *.acme.com, 9:00 AM to 6:00 PM Berlin; above 20 you are asked.",
  );
  expect(written("18:00-24:00")).toBe("6:00 PM to 12:00 AM");
  reader.locale = "de";
  expect(written("09:00-18:30")).toBe("09:00 to 18:30");
  expect(written("At any time")).toBe("At any time");
});
