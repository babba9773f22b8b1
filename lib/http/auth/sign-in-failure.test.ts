import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import NextAuth, { type NextAuthOptions, type User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { afterEach, expect, it, vi } from "vitest";
import { isSignedIn } from "@/sdk/context/session/sign-in-message";
import { keepingFailure, rethrowing } from "./sign-in-failure";

afterEach(() => vi.unstubAllEnvs());

const reason = new Error("Failed query: insert into sessions … params: a secret");

/** Signs in with next-auth over HTTP. Returns its response, and what the handler around it threw. */
async function signIn(authorize: () => Promise<User | null>) {
  vi.stubEnv("NEXTAUTH_URL", "http://localhost:3000");
  const options: NextAuthOptions = {
    secret: "of this test",
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [CredentialsProvider({ id: "siwe", credentials: {}, authorize })],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  };
  let thrown: unknown;
  let cookies = "";
  const ask = async (path: string, form?: Record<string, string>) => {
    const server = createServer((request, response) => {
      const req = Object.assign(request as IncomingMessage, {
        query: { nextauth: path.split("/") },
        cookies: Object.fromEntries(
          cookies
            .split("; ")
            .map((pair) => [pair.split("=")[0], decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
        ),
        body: form,
      });
      const end = (body: unknown) => response.end(JSON.stringify(body));
      const res = Object.assign(response as ServerResponse, {
        status: (code: number) => Object.assign(res, { statusCode: code }),
        json: end,
        send: end,
      }) as ServerResponse & { status: unknown; json: unknown; send: unknown };
      // The response that next-auth makes is written by then; the route's is the error's.
      rethrowing(async () => NextAuth(req as never, res as never, options)).catch((error: unknown) => {
        thrown = error;
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/${path}`, { method: form ? "POST" : "GET" });
    cookies = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; ");
    const body = (await response.json()) as { csrfToken?: string; url?: string };
    await new Promise((resolve) => server.close(resolve));
    return { status: response.status, body };
  };
  const { csrfToken = "" } = (await ask("csrf")).body;
  const { status, body } = await ask("callback/siwe", {
    csrfToken,
    json: "true",
    callbackUrl: "http://localhost:3000",
  });
  return { status, body, thrown };
}

it("a sign-in that fails inside is an error, and no refusal whose address shows the error's text", async () => {
  const failed = () => Promise.reject(reason);
  // What next-auth makes of it by itself.
  expect((await signIn(failed)).body.url).toContain("Failed%20query");
  expect((await signIn(() => keepingFailure(failed))).thrown).toBe(reason);
});

it("a sign-in that is accepted or refused stays so", async () => {
  const accepted = await signIn(() => keepingFailure(async () => ({ id: "0x1", sessionToken: "of this test" })));
  expect([isSignedIn(accepted), accepted.thrown]).toEqual([true, undefined]);
  const refused = await signIn(() => keepingFailure(async () => null));
  expect([refused.status, isSignedIn(refused), refused.thrown]).toEqual([401, false, undefined]);
});
