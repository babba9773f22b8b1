import { expect, test } from "vitest";
import { fileJson, fileText } from "./file-text";

const refused = (message: RegExp) =>
  expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(message) });

test("a file in another encoding than UTF-8 is refused, and says how to save it", () => {
  expect(fileText(Buffer.from("\ufeffto,memo\n@ada,Grüße"))).toBe("to,memo\n@ada,Grüße");
  for (const bytes of [Buffer.from("Grüße", "latin1"), Buffer.from("\ufeffto,memo", "utf16le")]) {
    expect(() => fileText(bytes)).toThrow(refused(/UTF-8/));
  }
});

test("a field that an object has twice is refused, however it is spelled and wherever it is", () => {
  expect(fileJson('[{"amount":"1"},{"amount":"2"}]')).toEqual([{ amount: "1" }, { amount: "2" }]);
  expect(fileJson("[{")).toBeUndefined();
  for (const last of ["amount", "am\\u006funt"]) {
    expect(() => fileJson(`[{"amount":"1",\n"${last}":"100"}]`)).toThrow(refused(/^Line 2: a field/));
  }
});
