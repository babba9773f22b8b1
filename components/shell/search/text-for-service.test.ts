import { expect, test } from "vitest";
import { newId } from "@/lib/base/ids";
import { idIn, personIn, referenceIn } from "./text-for-service";

test("amounts, words of memos and parts of ids never leave the browser", () => {
  const id = newId("transfer");
  const kept = [
    "12.5",
    "1,250.50",
    "$12",
    "12.5usdg",
    "0.5 ETH",
    "−3",
    "rent",
    "Lunch on Friday",
    "Invoice 1042",
    "1042",
  ];
  for (const text of [...kept, id.slice(0, -1), "", " ", "a1", `x1${"x".repeat(64)}`]) {
    expect([idIn(text), personIn(text), referenceIn(text)], text).toEqual([undefined, undefined, undefined]);
  }
});

test("a complete id, a handle or address, and a reference are distinguished", () => {
  for (const kind of ["transfer", "paymentRequest", "payout", "key", "account"] as const) {
    const id = newId(kind);
    expect([idIn(` ${id} `), referenceIn(id)]).toEqual([id, undefined]);
  }
  for (const who of ["@bob", "@shop.example", "@ada/bot", `0x${"aB".repeat(20)}`]) {
    expect([personIn(who), referenceIn(who)], who).toEqual([who, undefined]);
  }
  for (const reference of ["INV-1042", "order#7", "PO/2026/11"]) expect(referenceIn(` ${reference} `)).toBe(reference);
});
