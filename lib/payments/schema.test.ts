import { describe, expect, it } from "vitest";
import { CreateTransferInput, CreateTransferQuery, ListTransfersQuery } from "@/lib/payments/schema";

const read = (change: object) => CreateTransferInput.safeParse({ to: "@bob", amount: "1", ...change });
const faults = (change: object) => read(change).error?.issues.map(({ path }) => path.join("."));

describe("the body of a transfer", () => {
  it("defaults to a confidential payment in USDG", () => {
    expect(read({}).data).toEqual({ to: "@bob", amount: "1", asset: "USDG", confidential: true });
  });

  it.each([
    "0",
    "-1",
    "+1",
    "1e3",
    " 1",
    "1.",
    ".5",
    "01",
    "1,0",
    "0x10",
    "１",
    "1.0000001",
    "18446744073709.551616",
    "",
  ])("refuses the amount %j", (amount) => expect(faults({ amount })).toEqual(["amount"]));

  it("takes the most 64 bits hold, and nine places of ETH", () => {
    expect(read({ amount: "18446744073709.551615" }).success).toBe(true);
    expect(read({ amount: "0.000000001", asset: "ETH" }).success).toBe(true);
    expect(faults({ amount: "0.0000000001", asset: "ETH" })).toEqual(["amount"]);
  });

  it.each([["bob"], ["@"], ["@bob "], ["0x12"], ["0x5FC5360D0400a0Fd4f2af552ADD042D716F1d168"]])(
    "refuses the recipient %j",
    (to) => expect(faults({ to })).toEqual(["to"]),
  );

  it.each([
    ["@Bob"],
    ["@pay.shop.test"],
    ["@owner/agent"],
    ["0x5fc5360d0400a0fd4f2af552add042d716f1d168"],
    ["0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168"],
  ])("takes the recipient %j", (to) => expect(read({ to }).success).toBe(true));

  it("names its payer by a handle and by nothing else", () => {
    for (const from of ["@alice", "@Alice/Bot", "@pay.shop.test/a_b-c"])
      expect(read({ from }).data).toMatchObject({ from });
    const others = [
      "alice",
      "",
      "@",
      "@a//b",
      "@a/b/c",
      "0x5fc5360d0400a0fd4f2af552add042d716f1d168",
      7,
      null,
      [],
      "@ü",
    ];
    for (const from of others) expect(faults({ from })).toEqual(["from"]);
  });

  it("bounds a memo by its bytes and wants well-formed text", () => {
    expect(read({ memo: "é".repeat(256) }).success).toBe(true);
    expect(faults({ memo: `${"é".repeat(256)}x` })).toEqual(["memo"]);
    expect(faults({ memo: "\ud800" })).toEqual(["memo"]);
    expect(faults({ memo: "\udc00\ud800" })).toEqual(["memo"]);
  });

  it("wants either an amount or a client-signed payment", () => {
    expect(faults({ amount: undefined })).toEqual(["amount"]);
  });
});

describe("the query of a list", () => {
  it("defaults to the first 20", () => {
    expect(ListTransfersQuery.parse({})).toEqual({ limit: 20, offset: 0 });
  });

  it.each([
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "1e1"],
    ["limit", "010"],
    ["offset", "-1"],
    ["status", "x"],
    ["from", "yesterday"],
    ["from", "2026-11-21"],
    ["to", "2026-02-30T00:00:00Z"],
  ])("refuses %s=%s", (name, value) => {
    expect(ListTransfersQuery.safeParse({ [name]: value }).error?.issues[0]?.path).toEqual([name]);
  });
});

describe("the query of a transfer", () => {
  it("is a dry run only when it says so", () => {
    expect(CreateTransferQuery.parse({})).toEqual({ dry_run: false });
    expect(CreateTransferQuery.parse({ dry_run: "false" })).toEqual({ dry_run: false });
    expect(CreateTransferQuery.parse({ dry_run: "true" })).toEqual({ dry_run: true });
    for (const wrong of [{ dry_run: "1" }, { dry_run: "" }, { dryrun: "true" }]) {
      expect(CreateTransferQuery.safeParse(wrong).success).toBe(false);
    }
  });
});
