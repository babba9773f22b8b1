import { expect, test } from "vitest";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { admit } from "./front";
import { withRawBody } from "./raw-body";
import { readBytes, readJsonBody } from "./read-json-body";

const HOME_KEYS = [generateHomeKey(46630), generateHomeKey(4663)];
const URL_OF_SERVICE = "http://localhost/v1/transfers";

/** Returns a request like Node's. */
function incoming(url: string, headers: Record<string, string> = {}) {
  const all = { host: "localhost", ...headers };
  return { url, headers: all, rawHeaders: Object.entries(all).flat(), httpVersion: "1.1" } as unknown as Parameters<
    typeof admit
  >[0];
}

const codesOf = (text: string) => [...text].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0"));
const percents = (text: string) => codesOf(text).join("%").replace(/^/, "%");
const escapes = (text: string) =>
  codesOf(text)
    .map((code) => `\\u00${code}`)
    .join("");

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test.each(HOME_KEYS)("a home key in an address or a header is refused, and not repeated", (key) => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const requests = [
    incoming(`/v1/transfers?key=${key}`),
    incoming(`/v1/transfers/${key}`),
    incoming(`/docs?q=${key}&x=1`),
    incoming(`http://localhost/${key}`),
    incoming("/v1/transfers", { authorization: `Bearer ${key}` }),
    incoming("/v1/transfers", { authorization: `Bearer ${generateApiKey(46630)}`, "x-home-key": key }),
    incoming("/v1/transfers", { authorization: basic(`${key}:`) }),
    incoming("/v1/transfers", { authorization: basic(`user:${key}`) }),
    incoming("/", { cookie: `a=b; home=${key}` }),
    incoming(`/v1/transfers?key=%68ch${key.slice(3)}`),
    incoming(`/v1/transfers?key=${percents(key)}`),
    incoming("/", { cookie: `home=${percents(key)}` }),
    incoming("/v1/transfers", { "idempotency-key": `pay-${key}-1` }),
    incoming("/v1/transfers", { [key]: "1" }),
  ];
  for (const request of requests) {
    const thrown = thrownBy(() => admit(request));
    expect(thrown, request.url).toMatchObject({ code: "invalid_request", status: 400 });
    expect(String(thrown)).toContain("home key");
    expect(`${String(thrown)}${JSON.stringify(thrown)}`).not.toContain(key.slice(9));
  }
});

test.each(HOME_KEYS)("a home key in a body of any format is refused, and not repeated", async (key) => {
  const bodies = [
    JSON.stringify({ to: "@bob", home_key: key }),
    JSON.stringify({ memo: `the key is ${key}.` }),
    `grant_type=client_credentials&client_secret=${key}`,
    `{"broken": "${key}`,
    `{"memo": "\\u0068ch${key.slice(3)}"}`,
    `{"memo": "${escapes(key)}"}`,
    `{"memo": "${key.slice(0, 20)}${escapes(key.slice(20, 21)).toUpperCase().replace("U", "u")}${key.slice(21)}"}`,
    `client_secret=${percents(key)}`,
    `${"é".repeat(100)}${key}`,
    key,
  ];
  for (const body of bodies) {
    const bytes = async () => new TextEncoder().encode(body);
    const ways = [
      readBytes(new Request(URL_OF_SERVICE, { method: "POST", body }), 16_384),
      readJsonBody(new Request(URL_OF_SERVICE, { method: "POST", body })),
      withRawBody(bytes, () => readJsonBody(new Request(URL_OF_SERVICE, { method: "POST" }))),
    ];
    for (const way of ways) {
      const thrown = await way.catch((error) => error);
      expect(thrown).toMatchObject({ code: "invalid_request", status: 400, param: "body" });
      expect(String(thrown)).toContain("home key");
      expect(`${String(thrown)}${JSON.stringify(thrown)}`).not.toContain(key.slice(9));
    }
  }
});

test("what only looks like a home key passes: an API key, a wrong checksum, the prefix alone", async () => {
  const key = generateHomeKey(46630);
  const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  for (const text of [generateApiKey(46630), wrong, "hch_test_", "hch_"]) {
    expect(admit(incoming(`/v1/transfers?key=${text}`, { authorization: `Bearer ${text}` }))).toBe("/v1/transfers");
    const body = JSON.stringify({ memo: text });
    expect((await readJsonBody(new Request(URL_OF_SERVICE, { method: "POST", body }))).text).toBe(body);
  }
});
