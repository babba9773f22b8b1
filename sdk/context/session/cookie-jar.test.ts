import { expect, test } from "vitest";
import { CookieJar } from "./cookie-jar";

function headers(...lines: string[]): Headers {
  const all = new Headers();
  for (const line of lines) all.append("set-cookie", line);
  return all;
}

test("a jar sends back each cookie's newest value, whatever it holds", () => {
  const jar = new CookieJar();
  jar.store(headers("a=1; Path=/; HttpOnly", "__Host-b=x%7Cy==; Secure; SameSite=Lax"));
  jar.store(headers("a=2"));
  expect(jar.header()).toEqual({ cookie: "a=2; __Host-b=x%7Cy==" });
});

test("a cookie that expired is dropped, and an empty jar sends no header", () => {
  const jar = new CookieJar();
  jar.store(headers("a=1", "b=2"));
  jar.store(headers("a=; Max-Age=0", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"));
  expect(jar.header()).toEqual({});
});
