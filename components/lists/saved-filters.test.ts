import { afterEach, describe, expect, it, vi } from "vitest";
import { deleteAccountNotes } from "@/components/api/browser/account-notes";
import { areSame, forgetFilters, savedFilters, saveFilters } from "./saved-filters";

const OWNER = "0xAb00000000000000000000000000000000000001";
const PATH = "/test/transfers";

/** A browser's storage. */
function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
    key: (index) => [...texts.keys()][index] ?? null,
    get length() {
      return texts.size;
    },
  };
}

afterEach(() => vi.unstubAllGlobals());

describe("saved filters", () => {
  it("are those of one account and list, newest first, one for each name", () => {
    vi.stubGlobal("localStorage", storage());
    saveFilters(OWNER, PATH, { name: "Failed", filters: { status: "failed" } });
    saveFilters(OWNER, PATH, { name: "Rent", filters: { counterparty: "@lin" } });
    saveFilters(OWNER, PATH, { name: "Failed", filters: { status: "failed", asset: "ETH" } });
    const expected = [
      { name: "Failed", filters: { status: "failed", asset: "ETH" } },
      { name: "Rent", filters: { counterparty: "@lin" } },
    ];
    expect(savedFilters(OWNER.toLowerCase(), PATH)).toEqual(expected);
    expect(savedFilters(OWNER, "/live/transfers")).toEqual([]);
    expect(savedFilters(OWNER.replace("1", "2"), PATH)).toEqual([]);
    expect(forgetFilters(OWNER, PATH, "Failed")).toEqual(expected.slice(1));
    expect(forgetFilters(OWNER, PATH, "Rent")).toEqual([]);
  });

  it("are none where the browser stores nothing, or something else", () => {
    const odd = storage();
    vi.stubGlobal("localStorage", odd);
    for (const text of [
      "{",
      "7",
      '[null, {"name": "x"}, {"name": "", "filters": {}}, {"name": "x", "filters": {"a": 1}}]',
    ]) {
      odd.setItem(`halcyon.filters.${OWNER.toLowerCase()}.${PATH}`, text);
      expect(savedFilters(OWNER, PATH), text).toEqual([]);
    }
    vi.stubGlobal("localStorage", undefined);
    expect(savedFilters(OWNER, PATH)).toEqual([]);
    expect(saveFilters(OWNER, PATH, { name: "Failed", filters: { status: "failed" } })).toEqual([]);
  });

  it("are twenty at most", () => {
    vi.stubGlobal("localStorage", storage());
    for (let n = 0; n < 25; n += 1) saveFilters(OWNER, PATH, { name: `${n}`, filters: { status: "failed" } });
    expect(savedFilters(OWNER, PATH).map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(24 - index)),
    );
  });

  it("are gone from every list of the account that signs out, and from no other's", () => {
    vi.stubGlobal("localStorage", storage());
    const [other, lists] = [OWNER.replace("1", "2"), [PATH, "/live/transfers", "/test/developers/events"]];
    for (const owner of [OWNER, other]) {
      for (const path of lists) saveFilters(owner, path, { name: "Rent", filters: { counterparty: "@lin" } });
    }
    localStorage.setItem("halcyon.wallet", "stays");
    deleteAccountNotes(OWNER.toUpperCase().replace("0X", "0x"));
    expect(lists.flatMap((path) => savedFilters(OWNER, path))).toEqual([]);
    expect(lists.flatMap((path) => savedFilters(other, path))).toHaveLength(3);
    expect(localStorage.getItem("halcyon.wallet")).toBe("stays");
  });

  it("are the same in any order, without what is empty", () => {
    expect(areSame({ status: "failed", asset: "ETH" }, { asset: "ETH", status: "failed", from: undefined })).toBe(true);
    expect(areSame({ status: "failed" }, { status: "pending" })).toBe(false);
  });
});
