import { expect, test } from "vitest";
import { redirectRefusal, redirectWith } from "./redirect-uri";

test.each([
  "https://app.example/callback",
  "https://app.example",
  "https://app.example:8443/cb?tenant=1",
  "http://127.0.0.1:33418/callback",
  "http://localhost:8000/oauth/callback",
  "http://[::1]:9/cb",
])("%s may get codes", (uri) => expect(redirectRefusal(uri)).toBeNull());

test.each([
  "http://app.example/callback",
  "http://127.0.0.1.evil.example/",
  "http://localhost.evil.example/",
  "javascript:alert(1)//https://app.example",
  "data:text/html,x",
  "cursor://callback",
  "https://user:secret@app.example/",
  "https://app.example/#x",
  "https://app.example/#",
  "https://APP.example/callback",
  "https://app.example/../x",
  "https://app.example\\@evil.example/",
  "https:app.example",
  " https://app.example/",
  "https://app.example/\n",
  "https://app.example/?code=1",
  "https://app.example/?x=1&state=2",
  "//app.example/",
  "/callback",
  "",
  `https://app.example/${"a".repeat(600)}`,
])("%j gets none", (uri) => expect(redirectRefusal(uri)).not.toBeNull());

test("a response goes to the registered address, with its own query, and nothing of it is code", () => {
  const uri = "https://app.example/cb?tenant=1";
  const redirect = new URL(
    redirectWith(uri, { code: "hcc_x", state: "a&b=#c", iss: "https://h.example", error: undefined }),
  );
  expect(redirect.origin + redirect.pathname).toBe("https://app.example/cb");
  expect(Object.fromEntries(redirect.searchParams)).toEqual({
    tenant: "1",
    code: "hcc_x",
    state: "a&b=#c",
    iss: "https://h.example",
  });
});
