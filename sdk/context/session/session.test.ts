import { expect, test } from "vitest";
import { apiErrorOf } from "../../api/api-errors";
import { Call } from "../../api/call";
import { Http } from "../../api/http";
import type { Wallet } from "../../chain/wallet";
import { Session, signInOrigins } from "./session";

const address = `0x${"ab".repeat(20)}` as const;
const wallet = { address, signMessage: async () => "0x01" } as unknown as Wallet;

/** Signs in at a service that responds so to the signed text, and returns the error. */
async function signInAt(status: number, body: unknown): Promise<unknown> {
  const respond = async (input: URL | RequestInfo, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (init?.method === "POST") return Response.json(body, { status });
    return Response.json(pathname.endsWith("nonce") ? { nonce: "12345678" } : { csrfToken: "one" });
  };
  const http = new Http("https://pay.example", { fetch: respond, apiError: apiErrorOf }, new Call({ maxRetries: 0 }));
  return new Session(http, wallet, "test").get("/api/x").then(
    () => "signed in",
    (thrown: unknown) => thrown,
  );
}

test("only the service's refusal is a refused sign-in: that it is away or too busy is said as that", async () => {
  const error = (code: string, message: string) => ({ error: { code, message, request_id: "req_1" } });
  expect(await signInAt(503, error("unavailable", "Not now."))).toMatchObject({ status: 503, message: "Not now." });
  expect(await signInAt(500, {})).toMatchObject({ status: 500, code: "unavailable" });
  expect(await signInAt(429, error("rate_limited", "Too many."))).toMatchObject({ name: "RateLimitedError" });
  const refused = { code: "unauthorized", message: expect.stringContaining("refused the sign-in") };
  expect(await signInAt(401, { url: "https://pay.example/sign-in?error=CredentialsSignin" })).toMatchObject(refused);
  expect(await signInAt(200, { url: "https://pay.example/sign-in?csrf=true" })).toMatchObject(refused);
});

test("the signed times are the service's, so that a wrong clock here keeps no one out", async () => {
  const signed: string[] = [];
  const signMessage = async ({ message }: { message: string }) => `0x0${signed.push(message)}`;
  const headers = { date: "Sat, 28 Nov 2020 12:00:00 GMT" };
  const respond = async (input: URL | RequestInfo, init?: RequestInit) => {
    if (init?.method === "POST") return Response.json({ url: "/" });
    return Response.json(String(input).includes("nonce") ? { nonce: "12345678" } : { csrfToken: "one" }, { headers });
  };
  const http = new Http("https://pay.example", { fetch: respond, apiError: apiErrorOf }, new Call({ maxRetries: 0 }));
  await new Session(http, { address, signMessage } as unknown as Wallet, "test").get("/api/x");
  expect(signed).toHaveLength(1);
  expect(signed[0]).toContain("Issued At: 2020-11-28T12:00:00.000Z\nExpiration Time: 2020-11-28T12:05:00.000Z");
});

test("a sign-in names the origin that is talked to and no other, but for a machine's own names", () => {
  expect(signInOrigins("https://pay.example")).toEqual(["https://pay.example"]);
  expect(signInOrigins("https://localhost.example:8443/x")).toEqual(["https://localhost.example:8443"]);
  expect(signInOrigins("http://localhost:3000")).toEqual(["http://localhost:3000"]);
  expect(signInOrigins("http://127.0.0.1:3000")).toEqual(["http://127.0.0.1:3000", "http://localhost:3000"]);
  expect(signInOrigins("http://[::1]")).toEqual(["http://[::1]", "http://localhost"]);
});
