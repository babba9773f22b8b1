import { expect, test } from "vitest";
import { Http } from "@/sdk/api/http";
import { openSession } from "./open-session";

const signed = { message: "Sign in.", signature: "0x01", callbackUrl: "https://pay.example" };
const ACCEPTED = { url: "https://pay.example" };
const REFUSED = { url: "https://pay.example/sign-in?csrf=true" };

/** A service that accepts or refuses, and which requests it got. `during` runs while the signed text is on its way. */
function service(bodies: readonly object[], during: () => void = () => {}) {
  const posted: string[] = [];
  let sent = 0;
  const respond = async (input: URL | RequestInfo, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (init?.method !== "POST") return Response.json({ csrfToken: "one" });
    posted.push(pathname);
    if (pathname.endsWith("signout")) return Response.json(ACCEPTED);
    during();
    const body = bodies[sent++];
    if (!body) throw new TypeError("Failed to fetch");
    return Response.json(body);
  };
  return { http: new Http("https://pay.example", { fetch: respond }), posted };
}
const SIGN_IN = "/api/auth/callback/siwe";
const SIGN_OUT = "/api/auth/signout";

test("a session is opened, at the second try where another request took the first one's cookie", async () => {
  const { http, posted } = service([REFUSED, ACCEPTED]);
  expect(await openSession(http, signed, new AbortController().signal)).toBe(true);
  expect(posted).toEqual([SIGN_IN, SIGN_IN]);
  const { signal } = new AbortController();
  expect(await openSession(service([REFUSED, REFUSED]).http, signed, signal)).toBe(false);
});

test("what is cancelled before the signed text has left leaves no session", async () => {
  const { http, posted } = service([ACCEPTED]);
  await expect(openSession(http, signed, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  expect(posted).toEqual([]);
});

test.each([
  ["opens one", [ACCEPTED], [SIGN_IN, SIGN_OUT]],
  ["loses its response", [], [SIGN_IN, SIGN_OUT]],
  ["is refused", [REFUSED], [SIGN_IN]],
])("cancelled while the signed text is on its way, no session is left where it %s", async (_, bodies, expected) => {
  const cancel = new AbortController();
  const { http, posted } = service(bodies, () => cancel.abort());
  await expect(openSession(http, signed, cancel.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(posted).toEqual(expected);
});
