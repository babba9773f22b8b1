import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { KillableProduct } from "@/scripts/kill/product";
import { Http } from "@/sdk/api/http";
import { keyWallet } from "@/sdk/chain/key-wallet";
import { Halcyon } from "@/sdk/client";
import { CookieJar } from "@/sdk/session/cookie-jar";
import { Session } from "@/sdk/session/session";

/** `npm start -- --web 2 --workers 2`, with the proxy's address and that of each web process behind it. */
export interface Fleet {
  product: KillableProduct;
  /** Of the proxy. */
  url: string;
  webs: [string, string];
}

/** Starts it on empty data, with settings small enough to be reached. */
export async function startFleet(env: Record<string, string>): Promise<Fleet> {
  const args = ["--web", "2", "--workers", "2"];
  const product = await KillableProduct.start({ data: ".halcyon-fleet", args, env, say: () => {} });
  const at = (position: number) => `http://localhost:${Number(new URL(product.url).port) + 1 + position}`;
  return { product, url: product.url, webs: [at(0), at(1)] };
}

/** An account with money that its API key can pay with. */
export interface Member {
  handle: string;
  walletKey: Hex;
  client: Halcyon;
  apiKey: string;
}

/** Signs one up through the proxy, on either process. */
export async function newMember(url: string, handle: string, amount = "1000"): Promise<Member> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  await client.account.create({ handle });
  await client.testHelpers.faucet({ amount });
  await client.balances.makeAvailable();
  const { api_key: apiKey } = await client.keys.create({ label: "fleet" });
  return { handle, walletKey, client: new Halcyon({ url, walletKey, apiKey }), apiKey };
}

/** A response as the API gave it. */
export interface Reply {
  status: number;
  json: Record<string, unknown> & { error?: { code: string; message: string } };
  headers: Headers;
}

/** One request with an API key, never repeated. */
export async function call(url: string, apiKey: string, path: string, body?: unknown, key?: string): Promise<Reply> {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Reply["json"], headers: response.headers };
}

/** The live updates of a signed-in page, at one process. */
export class LivePage {
  text = "";

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      this.text += chunk;
    });
    response.on("error", () => {});
  }

  /** Signs in at `signInAt` and opens the stream at `streamAt`: a session is good everywhere. */
  static async open({ walletKey }: Member, signInAt: string, streamAt: string): Promise<LivePage> {
    const jar = new CookieJar();
    const session = new Session(new Http(signInAt), keyWallet(walletKey), "test", { jar, signIn: {} });
    await session.get("/api/keys");
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { accept: "text/event-stream", ...jar.header() };
      httpRequest(`${streamAt}/api/stream?network=test`, { headers, agent: false }, resolve)
        .once("error", reject)
        .end();
    });
    if (response.statusCode !== 200) throw new Error(`the stream was refused: ${response.statusCode}`);
    return new LivePage(response);
  }

  close(): void {
    this.response.destroy();
  }
}
