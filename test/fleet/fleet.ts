import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { KillableProduct } from "@/scripts/kill/product";
import { Http } from "@/sdk/api/http";
import { keyWallet } from "@/sdk/chain/key-wallet";
import { Halcyon } from "@/sdk/client";
import { CookieJar } from "@/sdk/context/session/cookie-jar";
import { Session } from "@/sdk/context/session/session";

/** `npm start -- --web 2 --workers 2`, with the addresses of the proxy and of each web process behind it. */
export interface Fleet {
  product: KillableProduct;
  /** The address of the proxy. */
  url: string;
  webs: [string, string];
  /** What `npm start` said. */
  said: readonly string[];
}

/** Starts it on empty data, with limits low enough to be reached. */
export async function startFleet(env: Record<string, string>): Promise<Fleet> {
  const args = ["--web", "2", "--workers", "2"];
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const product = await KillableProduct.start({ data: ".halcyon-fleet", args, env, say });
  const at = (position: number) => `http://localhost:${Number(new URL(product.url).port) + 1 + position}`;
  return { product, url: product.url, webs: [at(0), at(1)], said };
}

/** An account with money and an API key that can pay. */
export interface Member {
  handle: string;
  walletKey: Hex;
  client: Halcyon;
  apiKey: string;
}

/** Signs a member up through the proxy, on either process. */
export async function newMember(url: string, handle: string, amount = "1000"): Promise<Member> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  await client.account.create({ handle });
  await client.testHelpers.faucet({ amount });
  await client.balances.makeAvailable();
  const { api_key: apiKey } = await client.keys.create({ label: "fleet" });
  return { handle, walletKey, client: new Halcyon({ url, walletKey, apiKey }), apiKey };
}

/** A response of the API. */
export interface Reply {
  status: number;
  json: Record<string, unknown> & { error?: { code: string; message: string } };
  headers: Headers;
}

/** Sends a request with an API key, again while the service is too busy for it. */
export async function call(url: string, apiKey: string, path: string, body?: unknown, key?: string): Promise<Reply> {
  for (let n = 1; ; n++) {
    const reply = await callOnce(url, apiKey, path, body, key);
    if (reply.status !== 503 || reply.json.error?.code !== "unavailable" || n === 100) return reply;
    await sleep(200);
  }
}

/** Sends one request with an API key, without retries. */
export async function callOnce(
  url: string,
  apiKey: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Reply> {
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

/** A payment that a process has begun to read: its body is kept back. */
export interface HeldPayment {
  /** Sends the body. Resolves with the response. */
  finish(): Promise<Pick<Reply, "status" | "json">>;
}

/** Sends all of a payment but its body, and waits until the process has read that and asks for the rest. */
export function holdPayment(url: string, apiKey: string, body: unknown, key: string): Promise<HeldPayment> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "idempotency-key": key,
    expect: "100-continue",
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/transfers`, { method: "POST", headers, agent: false });
    const reply = new Promise<Pick<Reply, "status" | "json">>((answered, failed) => {
      request.once("error", failed);
      request.once("response", (response) => {
        let received = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          received += chunk;
        });
        response.once("error", failed);
        response.once("end", () => {
          answered({ status: response.statusCode ?? 0, json: JSON.parse(received) as Reply["json"] });
        });
      });
    });
    reply.catch(reject);
    const finish = () => {
      request.end(text);
      return reply;
    };
    request.once("continue", () => resolve({ finish }));
    request.flushHeaders();
  });
}

/** A session of a member: it works at every process. */
export interface MemberSession {
  jar: CookieJar;
  /** Its calls at one process. */
  at(url: string): Session;
}

/** Signs in at the site's address. */
export async function signIn({ walletKey }: Member, url: string): Promise<MemberSession> {
  const jar = new CookieJar();
  const session = new Session(new Http(url), keyWallet(walletKey), "test", { jar, signIn: {} });
  await session.get("/api/keys");
  return { jar, at: (process) => session.over(new Http(process)) };
}

/** The live updates of a signed-in page, from one process. */
export class LivePage {
  text = "";

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      this.text += chunk;
    });
    response.on("error", () => {});
  }

  /** Opens the stream at a process. Throws what it responds otherwise. */
  static async open({ jar }: MemberSession, url: string): Promise<LivePage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { accept: "text/event-stream", ...jar.header() };
      httpRequest(`${url}/api/stream?network=test`, { headers, agent: false }, resolve).once("error", reject).end();
    });
    if (response.statusCode === 200) return new LivePage(response);
    response.destroy();
    throw new Error(`the stream was refused: ${response.statusCode}`);
  }

  close(): void {
    this.response.destroy();
  }
}
