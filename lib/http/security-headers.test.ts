import { expect, test } from "vitest";
import { pagePolicy } from "./security-headers";

const options = { https: true, development: false, connect: ["https://rpc.example"] };
const rule = (name: string, policy: string) => policy.split("; ").find((each) => each.startsWith(`${name} `));

test("a page runs scripts by nonce alone and connects to its own origin and the named ones", () => {
  const policy = pagePolicy({ nonce: "abc" }, options);
  expect(rule("script-src", policy)).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic' 'wasm-unsafe-eval'");
  expect(rule("style-src", policy)).toBe("style-src 'self' 'nonce-abc'");
  expect(rule("worker-src", policy)).toBe("worker-src 'self'");
  expect(rule("connect-src", policy)).toBe("connect-src 'self' https://rpc.example");
});

test("a page of a service that names no one connects to its own origin alone", () => {
  expect(rule("connect-src", pagePolicy({ nonce: "abc" }, { ...options, connect: [] }))).toBe("connect-src 'self'");
});

test("a page that is the same for everyone runs our scripts and the inline ones that it came with", () => {
  const policy = pagePolicy({ hashes: ["'sha256-AA='", "'sha256-BB='"] }, options);
  expect(rule("script-src", policy)).toBe("script-src 'self' 'sha256-AA=' 'sha256-BB=' 'wasm-unsafe-eval'");
  expect(rule("style-src", policy)).toBe("style-src 'self'");
  expect(rule("default-src", policy)).toBe("default-src 'self'");
});
