import { expect, test } from "vitest";
import { languageToShow } from "./language-to-show";

const radios = (checked: string) =>
  ["bash", "ts", "python"].map((value) => ({ value, checked: value === checked, defaultChecked: value === "bash" }));

test("a language chosen before the page's scripts had loaded wins over the one kept from earlier", () => {
  expect(languageToShow(radios("python"), "ts")).toBe("python");
  expect(languageToShow(radios("python"), null)).toBe("python");
});

test("with none chosen, the kept one is shown if it is still offered", () => {
  expect(languageToShow(radios("bash"), "ts")).toBe("ts");
  expect(languageToShow(radios("bash"), "ruby")).toBeNull();
  expect(languageToShow(radios("bash"), null)).toBeNull();
});
