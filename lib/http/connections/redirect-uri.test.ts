import { expect, test } from "vitest";
import { isRegistered, redirectRefusal, redirectWith } from "./redirect-uri";

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

test("on the own machine, an address is registered with every port, and nothing else may differ", () => {
  const registered = [
    "http://localhost:49567/callback",
    "http://127.0.0.1:33418/?a=1",
    "http://[::1]/",
    "https://app.example/",
  ];
  const matches = (uri: string) => isRegistered(uri, registered);
  for (const uri of [
    "http://localhost:50111/callback",
    "http://localhost/callback",
    "http://127.0.0.1:9/?a=1",
    "http://[::1]:8/",
  ])
    expect(matches(uri), uri).toBe(true);
  for (const uri of [
    "http://127.0.0.1:50111/callback",
    "http://localhost:50111/callback2",
    "http://localhost:50111/callback?x=1",
    "http://user@localhost:50111/callback",
    "http://localhost:50111/callback#x",
    "https://localhost:50111/callback",
    "http://127.0.0.1:9/",
    "https://app.example:8443/",
    "http://localhost.evil.example:49567/callback",
    "",
  ])
    expect(matches(uri), uri).toBe(false);
});

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
