import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import NextAuth from "next-auth";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { readClientId, registerClient } from "@/lib/http/connections/client-id";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { isSignedIn, signInMessage } from "@/sdk/context/session/sign-in-message";
import { startLocalDatabase } from "@/test/services/local-database";
import { withSettings } from "@/test/services/with-settings";
import { authenticateWallet } from "./authenticate-session";
import { csrfSecretOf, nextAuthOptions } from "./next-auth-options";
import { consumeNonce, createNonce } from "./nonce";
import { reloadShare } from "./reload-share";

let database: { stop(): Promise<void> };
beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

const random = () => toHex(randomBytes(32)).slice(2);
const [oldPepper, newPepper, oldSecret, newSecret] = [random(), random(), random(), random()];

/** The secrets that a process has in one step of a rotation. */
const settings = (current: [string, string], previous?: [string, string]) => ({
  SERVER_PEPPER: current[0],
  NEXTAUTH_SECRET: current[1],
  SERVER_PEPPER_PREVIOUS: previous?.[0],
  NEXTAUTH_SECRET_PREVIOUS: previous?.[1],
});
const [old, fresh]: [[string, string], [string, string]] = [
  [oldPepper, oldSecret],
  [newPepper, newSecret],
];
const STEPS = [settings(old), settings(old, fresh), settings(fresh, old), settings(fresh)] as const;
/** Pairs of processes that run at the same time while a step is rolled out, in both directions. */
const BESIDE = STEPS.slice(1).flatMap((after, index) => {
  const before = STEPS[index] ?? after;
  return [
    [`${index} and ${index + 1}`, before, after],
    [`${index + 1} and ${index}`, after, before],
  ] as const;
});

const BROWSER = Buffer.alloc(32, 7).toString("base64url");
const origin = { network: "test", chainId: 46630, requestId: "req_1", clientAddress: "192.0.2.7" } as const;

/** Calls next-auth over HTTP, as the route does. */
async function nextAuth(path: string, cookies: string, form?: Record<string, string>) {
  const server = createServer((request, response) => {
    const req = Object.assign(request as IncomingMessage, {
      query: { nextauth: path.split("/") },
      cookies: Object.fromEntries(
        cookies.split("; ").map((pair) => [pair.split("=")[0], decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
      ),
      body: form,
    });
    const res = Object.assign(response as ServerResponse, {
      status: (code: number) => Object.assign(res, { statusCode: code }),
      json: (body: unknown) => response.end(JSON.stringify(body)),
      send: (body: unknown) => response.end(JSON.stringify(body)),
    }) as ServerResponse & { status: unknown; json: unknown; send: unknown };
    NextAuth(req as never, res as never, nextAuthOptions(csrfSecretOf(cookies))).catch(() => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/${path}`, {
      method: form ? "POST" : "GET",
      headers: { cookie: cookies },
    });
    const body = (await response.json()) as { csrfToken?: string; url?: string };
    const set = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    return { status: response.status, body, cookies: [cookies, ...set].join("; ") };
  } finally {
    server.close();
  }
}

describe.each(BESIDE)("while processes of steps %s of a rotation serve side by side", (_, first, second) => {
  test("a sign-in that begins at one ends at the other, and its session holds at both", async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const browser = `halcyon.browser=${BROWSER}`;
    const begun = await withSettings(first, async () => {
      const nonce = await createNonce(BROWSER);
      return { nonce, csrf: await nextAuth("csrf", browser) };
    });
    const message = signInMessage(env().origin, "test", wallet.address, begun.nonce);
    const signature = await wallet.signMessage({ message });
    const { csrfToken = "" } = begun.csrf.body;
    const form = { csrfToken, message, signature, json: "true", callbackUrl: env().origin };
    const signedIn = await withSettings(second, () => nextAuth("callback/siwe", begun.csrf.cookies, form));
    expect(isSignedIn(signedIn), JSON.stringify(signedIn.body)).toBe(true);
    for (const step of [first, second]) {
      const found = await withSettings(step, () => authenticateWallet(signedIn.cookies, origin));
      expect(found.address).toBe(wallet.address.toLowerCase());
    }
  });

  test("a nonce, an application and a reload of one are the other's too", async () => {
    const { nonce, client, share } = await withSettings(first, async () => ({
      nonce: await createNonce(BROWSER),
      client: registerClient({ redirect_uris: ["https://app.example/back"], client_name: "App" }),
      share: reloadShare({ sessionId: "s" }, {}),
    }));
    await withSettings(second, async () => {
      expect(await consumeNonce(nonce, BROWSER)).toBe(true);
      expect(readClientId(client.id)).toEqual(client);
      const { share: theirs, other_share } = reloadShare({ sessionId: "s" }, { window: share.window });
      expect([theirs, other_share]).toContain(share.share);
    });
  });
});

test("what was made before a rotation is refused once it is over", async () => {
  const { nonce, client } = await withSettings(settings(old), async () => ({
    nonce: await createNonce(BROWSER),
    client: registerClient({ redirect_uris: ["https://app.example/back"] }),
  }));
  await withSettings(settings(fresh), async () => {
    expect(await consumeNonce(nonce, BROWSER)).toBe(false);
    expect(readClientId(client.id)).toBeNull();
    expect(reloadShare({ sessionId: "s" }, {})).not.toHaveProperty("other_share");
  });
});
