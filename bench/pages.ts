import { randomBytes } from "node:crypto";
import { Agent, get } from "node:http";
import { decode, encode } from "next-auth/jwt";
import { decodeCookie } from "@/lib/http/auth/decode-cookie";
import { CPU, doorOf, NOWHERE } from "@/lib/http/doors";
import { readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { exactCpuMs } from "./cpu";
import { signIn } from "./doors";
import { closedLoop, median, round } from "./measure";
import type { Product } from "./start-product";

const PATHS = [
  "/",
  "/terms",
  "/nowhere",
  "/docs",
  "/docs/mcp",
  "/docs/api/transfers",
  "/docs/nowhere",
  "/docs/mcp.md",
  "/docs/search.json",
  "/openapi.json",
  "/sitemap.xml",
  "/llms.txt",
  "/api/network",
  // Looked up and not found.
  "/api/pay/payreq_01M8HJJ2D76MRJB5THSFKYT07E",
  "/og.png",
  "/sign-in",
  "/system-status",
  "/healthz",
];
const ENCODINGS = ["br", "gzip", "identity"] as const;
const ROUNDS = 5;
const CALLS_A_ROUND = 100;
/** What anyone may read costs no more than what is kept. */
const READ_MS = CPU.kept.mostMs;
/** The ciphertext of a large shared view. */
const VIEW_BYTES = 1_000_000;

/**
 * Measures the CPU of the web process for a request of what is the same for everyone, after the first one, and of what
 * else anyone may ask for: what an anonymous client costs the others. The goals are those of lib/http/doors.ts.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const web = recordedPid(readConfig().data, "web");
  if (!web || process.platform !== "linux") return { skipped: "CPU per process is read from /proc" };
  const view = await shareView(product);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const ask = (path: string, encoding: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${product.url}${path}`, { agent, headers: { "accept-encoding": encoding } }, (response) => {
        response.resume().once("end", resolve).once("error", reject);
      }).once("error", reject);
    });
  const measured: Record<string, Record<string, number>> = {};
  const faults: Record<string, string> = {};
  for (const path of [...PATHS, view]) {
    const most = CPU[(doorOf(path) ?? NOWHERE).cpu].mostMs ?? READ_MS;
    for (const encoding of ENCODINGS) {
      await ask(path, encoding);
      const rounds: number[] = [];
      for (let turn = 0; turn < ROUNDS; turn++) {
        const before = exactCpuMs(web);
        await closedLoop(4, CALLS_A_ROUND, () => ask(path, encoding));
        rounds.push((exactCpuMs(web) - before) / CALLS_A_ROUND);
      }
      const cpu = round(median(rounds));
      measured[path] = { ...measured[path], [encoding]: cpu };
      if (cpu > most) faults[`${path} ${encoding}`] = `${cpu} ms of CPU a request, over ${most}`;
    }
  }
  agent.destroy();
  const cookies = await cookieRatios();
  for (const [name, most] of Object.entries(MOST_OF_COOKIES)) {
    const ratio = cookies[name as keyof typeof cookies];
    if (ratio > most) faults[name] = `${ratio} of the CPU that next-auth takes, over ${most}`;
  }
  return {
    "ms of CPU a request": measured,
    "CPU to read a cookie, over next-auth's": cookies,
    goals: {
      ...Object.fromEntries(Object.entries(CPU).map(([name, { mostMs }]) => [name, `<= ${mostMs ?? READ_MS}`])),
      ...MOST_OF_COOKIES,
    },
    faults,
  };
}

/** Each request of a page or route reads its session's cookie, made up or not, before anything else is known of it. */
const MOST_OF_COOKIES = { cookie: 0.5, made_up_cookie: 0.05 };

async function cookieRatios(): Promise<Record<keyof typeof MOST_OF_COOKIES, number>> {
  const secret = "a".repeat(64);
  const cookie = await encode({ token: { sub: `0x${"c".repeat(40)}`, sessionToken: "d".repeat(43) }, secret });
  const cpuOf = async (read: () => Promise<unknown>) => {
    const rounds: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      const before = process.cpuUsage();
      for (let n = 0; n < 10 * CALLS_A_ROUND; n++) await read();
      const { user, system } = process.cpuUsage(before);
      rounds.push(user + system);
    }
    return median(rounds);
  };
  const theirs = await cpuOf(() => decode({ token: cookie, secret }));
  const ours = await cpuOf(() => decodeCookie(cookie, [secret]));
  const madeUp = await cpuOf(() => decodeCookie("x".repeat(cookie.length), [secret]));
  return { cookie: round(ours / theirs), made_up_cookie: round(madeUp / theirs) };
}

/** Shares a view whose text only its size makes real. Returns the path of what its link reads. */
async function shareView(product: Product): Promise<string> {
  const [owner] = await product.payers(1);
  if (!owner) throw new Error("no account");
  const response = await fetch(`${product.url}/api/shared-views?network=test`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: await signIn(product.url, owner.walletKey) },
    body: JSON.stringify({
      label: "bench",
      expires_at: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`,
      encrypted: randomBytes(VIEW_BYTES).toString("base64"),
    }),
  });
  if (!response.ok) throw new Error(`sharing a view answered ${response.status}: ${await response.text()}`);
  const { shared_view_id: id } = (await response.json()) as { shared_view_id: string };
  return `/api/views/${id}`;
}
