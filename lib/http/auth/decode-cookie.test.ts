import { decode, encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { decodeCookie } from "./decode-cookie";

const [secret, previous] = ["a".repeat(64), "b".repeat(64)] as const;
const token = { sub: `0x${"c".repeat(40)}`, sessionToken: "d".repeat(43) };

test("a cookie that next-auth made under either secret is read as next-auth reads it", async () => {
  for (const one of [secret, previous]) {
    const cookie = await encode({ token, secret: one });
    expect(await decodeCookie(cookie, [secret, previous])).toEqual(await decode({ token: cookie, secret: one }));
  }
});

test("a cookie that is made up, changed, cut off, over, or under another secret is none", async () => {
  const cookie = await encode({ token, secret });
  const parts = cookie.split(".");
  const changed = parts.map((part, at) => {
    const other = part === "" ? "AAAA" : `${part.startsWith("A") ? "B" : "A"}${part.slice(1)}`;
    return parts.map((own, index) => (index === at ? other : own)).join(".");
  });
  const over = await encode({ token, secret, maxAge: -60 });
  const texts = ["", "made-up", "a.b.c.d.e", cookie.slice(0, -4), cookie.slice(4), `${cookie}.`, over, ...changed];
  for (const text of texts) expect(await decodeCookie(text, [secret]), text).toBeNull();
  expect(await decodeCookie(cookie, [previous])).toBeNull();
});
