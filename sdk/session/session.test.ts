import { expect, test } from "vitest";
import { signInOrigins } from "./session";

test("a sign-in names the origin that is talked to and no other, but for a machine's own names", () => {
  expect(signInOrigins("https://pay.example")).toEqual(["https://pay.example"]);
  expect(signInOrigins("https://localhost.example:8443/x")).toEqual(["https://localhost.example:8443"]);
  expect(signInOrigins("http://localhost:3000")).toEqual(["http://localhost:3000"]);
  expect(signInOrigins("http://127.0.0.1:3000")).toEqual(["http://127.0.0.1:3000", "http://localhost:3000"]);
  expect(signInOrigins("http://[::1]")).toEqual(["http://[::1]", "http://localhost"]);
});
