import { expect, test } from "vitest";
import { sumPages } from "./moved";

const pages = (count: number, last: (string | null)[]) => async (page: number) =>
  page < count ? Array.from({ length: 100 }, () => ({ amount: "0.1" })) : last.map((amount) => ({ amount }));

test("what a key has moved is summed exactly over all pages, without what can't be read", async () => {
  expect(await sumPages(6, pages(0, ["2.5", "4"]))).toEqual({ amount: "6.5", payments: 2, more: false });
  expect(await sumPages(6, pages(2, ["0.000001", null]))).toEqual({ amount: "20.000001", payments: 202, more: false });
  expect(await sumPages(6, pages(0, []))).toEqual({ amount: "0", payments: 0, more: false });
});

test("of more payments than are read, the sum says that there are more", async () => {
  expect(await sumPages(6, pages(50, []))).toEqual({ amount: "100", payments: 1_000, more: true });
});
