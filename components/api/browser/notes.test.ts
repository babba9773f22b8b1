import { afterEach, expect, test, vi } from "vitest";
import { note, noted, notedNames } from "./notes";

afterEach(() => vi.unstubAllGlobals());

test("a browser that stores nothing has no notes, and taking one away is no failure", () => {
  const blocked = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  for (const place of ["localStorage", "sessionStorage"] as const) {
    vi.stubGlobal(place, { getItem: blocked, setItem: blocked, removeItem: blocked, length: 1, key: blocked });
    note(place, "open", "yes");
    expect(noted(place, "open")).toBeNull();
    note(place, "open", null);
    expect(notedNames(place)).toEqual([]);
  }
});
