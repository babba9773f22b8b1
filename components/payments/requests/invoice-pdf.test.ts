import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { type Invoice, invoicePdf } from "./invoice-pdf";

const line = { text: "Chair of oak, oiled, with arms and a cushion", quantity: 2, price: "10.50", total: "21" };
const INVOICE: Invoice = {
  details: {
    amount: "21",
    note: "Thank you",
    lines: [line],
    due: "2026-12-31",
    number: "17",
    seller: "Ada\nLondon",
    customer: "Bob",
  },
  asset: "USDG",
  payee: `0x${"b2".repeat(20)}`,
  handle: "@ada",
  reference: "order-17",
  createdAt: "2026-11-21T02:07:36.000Z",
  expiresAt: "2026-12-21T02:07:36.000Z",
  link: `https://halcyon.example/pay/payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX#${"A".repeat(43)}`,
};

test("an invoice is one page that a reader opens, and names itself", async () => {
  const file = await PDFDocument.load(await invoicePdf(INVOICE));
  expect([file.getPageCount(), file.getTitle()]).toEqual([1, "Invoice 17"]);
});

test("an invoice of 40 lines goes on on further pages, and letters that no font has leave it readable", async () => {
  const details = { ...INVOICE.details, lines: Array.from({ length: 40 }, () => line), customer: "株式会社" };
  const file = await PDFDocument.load(await invoicePdf({ ...INVOICE, details }));
  expect(file.getPageCount()).toBeGreaterThan(1);
});
