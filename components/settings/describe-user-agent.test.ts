import { expect, test } from "vitest";
import { describeUserAgent } from "./describe-user-agent";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
    "Chrome on Windows",
    "computer",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    "Edge on Windows",
    "computer",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux", "computer"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari on macOS",
    "computer",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
    "phone",
  ],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android", "phone"],
  ["node", "Halcyon client for Node.js", "program"],
  ["curl/8.5.0", "curl", "program"],
  ["something else", "something else", "program"],
  [null, "Unknown program", "program"],
])("%s is %s", (text, name, kind) => {
  expect(describeUserAgent(text)).toEqual({ name, kind });
});
