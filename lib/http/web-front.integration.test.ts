import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { type BareKey, bareKey } from "@/test/accounts/bare-key";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { AccountConcurrency, accountConcurrency } from "./account-concurrency";
import { Admission } from "./admission";
import { ArrivingBodies } from "./arriving-bodies";
import { forgetCaller, ownerOf, rememberCaller } from "./known-callers";
import { endInPieces, LEAST_RATE, PIECE_BYTES } from "./least-rate";
import { PageLimit } from "./page-limit";
import { route } from "./route";
import { type FrontParts, webFront } from "./web-front";
import { createWebServer, WEB_SERVER_LIMITS } from "./web-server";

/** So few that a handful of requests is too many. */
const PROCESS = 16;
const OF_ACCOUNT = PROCESS / 4;
const OF_ADDRESS = PROCESS / 8;

let database: LocalDatabase;
const servers: Server[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  Object.assign(process.env, {
    REQUESTS_IN_FLIGHT: String(PROCESS),
    RATE_LIMIT_PER_SECOND: "0",
    RATE_LIMIT_ACCOUNT_PER_SECOND: "0",
    RATE_LIMIT_FAILED_KEYS: "100000",
  });
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());
afterEach(async () => {
  vi.useRealTimers();
  for (const each of sockets.splice(0)) each.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** What the route of this test does with a request that has passed every guard. */
type Work = (name: string) => Promise<unknown>;

/**
 * Starts what server.ts starts, in front of one route, and of pages that say what Next.js would get. Requests come from
 * the address that `X-Forwarded-For` says.
 */
async function start(work: Work, parts: Partial<FrontParts> = {}) {
  const declared = route({
    auth: "key",
    body: z.object({ name: z.string() }),
    serialize: () => ({}),
    handle: async ({ body }) => work(body.name),
  });
  const front = webFront({
    ...{ origin: "http://pay.test", trustedProxies: 1, development: false, connect: [] },
    admission: new Admission(PROCESS),
    bodies: new ArrivingBodies(),
    pages: new PageLimit(),
    handle: async (request, response) => void response.end(`page ${request.url}`),
    patternOf: (at) => at,
    handlerOf: (method, at) =>
      at === "/v1/webhooks" && method === "POST" ? { handler: declared, params: {} } : undefined,
    ...parts,
  });
  const server = createWebServer(WEB_SERVER_LIMITS, { headers: {}, origin: "http://pay.test" }, front);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (head: string, { text }: Partial<BareKey> = {}, { from = "203.0.113.1", body = "" } = {}) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {});
    const key = text === undefined ? "" : `Authorization: Bearer ${text}\r\n`;
    socket.write(`${head}\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: ${from}\r\n${key}`);
    socket.write(body === "" ? "\r\n" : `Content-Length: ${body.length}\r\n\r\n${body}`);
    return socket;
  };
}

const POST = "POST /v1/webhooks HTTP/1.1";
/** A body of which nothing comes after its headers. */
const SLOW = `${POST}\r\nContent-Length: 60000`;
const called = (name: string, from?: string) => ({ body: JSON.stringify({ name }), ...(from && { from }) });

async function responseTo(socket: Socket): Promise<{ status: number; text: string }> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "close");
  return { status: Number(text.slice(9, 12)), text };
}

const lineOf = ({ address }: BareKey) => accountConcurrency().load(`46630:${address}`);

/** Work that ends when the test says. */
function gate() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work: Work = (name) => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { begun, work, open: () => ends.splice(0).map((end) => end()) };
}

test("bodies of accounts and addresses that do not arrive take no place, and each is served once it has", async () => {
  const send = await start(async () => {});
  const attackers = await Promise.all(Array.from({ length: 2 * (PROCESS / OF_ACCOUNT) }, () => bareKey()));
  const slow: Socket[] = [];
  for (const key of attackers) {
    for (let i = 0; i < OF_ACCOUNT; i++) slow.push(send(SLOW, key));
    await expect.poll(() => lineOf(key).inside).toBe(OF_ACCOUNT);
  }
  expect(slow.length).toBe(2 * PROCESS);
  const neighbour = await bareKey();
  expect(await responseTo(send(POST, neighbour, called("paid")))).toMatchObject({ status: 200 });
  // A page, from an address of its own.
  expect((await responseTo(send("GET /receipt HTTP/1.1", {}, { from: "203.0.113.9" }))).text).toMatch(
    /page \/receipt$/,
  );
  const [first] = slow;
  if (first) {
    first.write(JSON.stringify({ name: "late" }).padEnd(60_000));
    expect(await responseTo(first)).toMatchObject({ status: 200 });
  }
});

test("a body that comes too slowly is cut off, and its place in the account's line is free", async () => {
  const send = await start(async () => {}, { bodies: new ArrivingBodies(20) });
  const key = await bareKey();
  expect(await responseTo(send(SLOW, key))).toMatchObject({ status: 408, text: expect.stringContaining("too long") });
  await expect.poll(() => lineOf(key).inside).toBe(0);
});

test("one who makes many requests is refused beyond a share, and a valid key never for what others at its address do", async () => {
  const { begun, work, open } = gate();
  const [hostile, neighbour] = [await bareKey(), await bareKey()];
  const send = await start(work);
  // Known to this process from here on.
  const first = responseTo(send(POST, neighbour, called("first")));
  await expect.poll(() => begun).toEqual(["first"]);
  open();
  expect((await first).status).toBe(200);
  const flood = Array.from({ length: 3 * PROCESS }, (_, i) => responseTo(send(POST, hostile, called(`${i}`))));
  // Keys that are made up, from the neighbour's own address.
  const madeUp = { text: generateApiKey(46630) };
  const guesses = Array.from({ length: 3 * PROCESS }, () => responseTo(send(POST, madeUp, called("guess"))));
  await expect.poll(() => begun.length).toBeGreaterThan(1);
  const asked = responseTo(send(POST, neighbour, called("neighbour")));
  await expect.poll(() => begun).toContain("neighbour");
  const refused = (await Promise.all(guesses)).map(({ status }) => status);
  expect(refused).toHaveLength(3 * PROCESS);
  expect(refused.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  const opening = setInterval(open, 1);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect((await asked).status).toBe(200);
  clearInterval(opening);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});

test("a response that does not begin within 30 seconds is 503, and its request gives up its place in line", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { begun, work, open } = gate();
  const send = await start(work);
  const key = await bareKey();
  const stuck = responseTo(send(POST, key, called("stuck")));
  await expect.poll(() => begun).toEqual(["stuck"]);
  await vi.advanceTimersByTimeAsync(29_999);
  await vi.advanceTimersByTimeAsync(1);
  const { status, text } = await stuck;
  expect([status, text]).toEqual([503, expect.stringMatching(/retry-after: 1\r\n.*"unavailable"/is)]);
  open();
  await expect.poll(() => lineOf(key).inside).toBe(0);
});

test("agents keep their share of the work when other accounts bring many times as much as is done", async () => {
  // Time stands still, so that the others have always asked just now.
  const process = globalThis as typeof globalThis & { halcyonAccountConcurrency?: AccountConcurrency };
  const ofProcess = process.halcyonAccountConcurrency;
  process.halcyonAccountConcurrency = new AccountConcurrency(100, 0, () => 0);
  try {
    let [begun, served] = [0, 0];
    /** How many requests were begun before one of the agent's, and not served yet. */
    const ahead: number[] = [];
    // The machine: it does one thing after the other.
    let machine = Promise.resolve();
    const work: Work = (name) => {
      if (name === "agent") ahead.push(begun - served);
      begun += 1;
      machine = machine
        .then(() => new Promise<void>((done) => setImmediate(done)))
        .then(() => {
          served += 1;
        });
      return machine;
    };
    const send = await start(work, { admission: new Admission(1_000) });
    const [agent, ...others] = await Promise.all(Array.from({ length: 4 }, () => bareKey()));
    const ask = (key: BareKey | undefined, name: string) => responseTo(send(POST, key, called(name)));
    let isOver = false;
    const flood = others.flatMap((key) =>
      Array.from({ length: 12 }, async () => {
        while (!isOver) await ask(key, "other");
      }),
    );
    await expect.poll(() => served).toBeGreaterThan(36);
    for (let paid = 0; paid < 12; paid++) expect((await ask(agent, "agent")).status).toBe(200);
    isOver = true;
    await Promise.all(flood);
    expect(ahead).toHaveLength(12);
    // Of each account, the two that a process works on at once, and not the twelve that it asked for.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(2 * others.length);
  } finally {
    process.halcyonAccountConcurrency = ofProcess;
  }
});

test("an address that asks for pages too often is refused before anything is rendered, others are not", async () => {
  const rendered: string[] = [];
  const send = await start(async () => {}, {
    pages: new PageLimit(12, () => 0),
    handle: async (request, response) => {
      rendered.push(request.url ?? "");
      response.end("page");
    },
  });
  const ask = (at: string, from: string) => responseTo(send(`GET ${at} HTTP/1.1`, {}, { from }));
  // The same for everyone: those of a minute may come at once.
  for (let i = 0; i < 12; i++) expect((await ask("/docs/mcp", "203.0.113.1")).status).toBe(200);
  expect((await ask("/docs/mcp", "203.0.113.1")).status).toBe(429);
  expect((await ask("/nowhere", "203.0.113.1")).status).toBe(429);
  expect((await ask("/docs/mcp", "203.0.113.2")).status).toBe(200);
  expect(rendered).toHaveLength(13);
});

test("a call to the MCP server counts in the process until its response has ended, others until it begins", async () => {
  const admission = new Admission(PROCESS);
  const ends: (() => void)[] = [];
  const send = await start(async () => {}, {
    admission,
    handle: async (_, response) => {
      response.writeHead(200).write("begun");
      ends.push(() => response.end());
    },
  });
  const open = (head: string) => {
    const socket = send(head);
    return new Promise<void>((resolve) => socket.once("data", () => resolve()));
  };
  const refused = (head: string) => responseTo(send(head)).then(({ status }) => status);
  for (let i = 0; i < OF_ADDRESS + 2; i++) await open("GET /receipt HTTP/1.1");
  for (let i = 0; i < OF_ADDRESS; i++) await open("POST /mcp/test HTTP/1.1");
  expect(await refused("POST /mcp/test HTTP/1.1")).toBe(429);
  for (const end of ends.splice(0)) end();
  await expect.poll(() => open("POST /mcp/test HTTP/1.1").then(() => "begun")).toBe("begun");
});

test("clients that stop reading are cut off, hold one piece each until then, and their neighbours go on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  // Far more than the buffers of two kernels take.
  const file = Buffer.alloc(64 * 1024 * 1024, 1);
  const sending: Socket[] = [];
  const send = await start(async () => {}, {
    servePacked: async (request, response) => {
      sending.push(request.socket);
      endInPieces(response.writeHead(200), file);
      return true;
    },
  });
  const slow = Array.from({ length: 8 }, (_, n) => send("GET /file HTTP/1.1", {}, { from: `203.0.113.${n + 10}` }));
  for (const socket of slow) socket.pause();
  await expect.poll(() => sending.filter(({ writableLength }) => writableLength > 0).length).toBe(slow.length);
  const stuck = [...sending];
  const reader = send("GET /file HTTP/1.1", {}, { from: "203.0.113.9" });
  const ended = once(reader, "close");
  let read = 0;
  reader.on("data", (chunk) => {
    read += chunk.length;
  });
  const longest = LEAST_RATE.pauseMs + (2 * PIECE_BYTES * 1_000) / LEAST_RATE.bytesPerSecond;
  const checks = Math.ceil(longest / LEAST_RATE.checkMs);
  for (let check = 1; check <= checks; check++) {
    // Between two checks the reader gets its share of the file.
    reader.resume();
    await expect.poll(() => read, { interval: 1 }).toBeGreaterThanOrEqual((file.length * check) / checks);
    reader.pause();
    expect(Math.max(...stuck.map(({ writableLength }) => writableLength))).toBeLessThan(200 * 1024);
    await vi.advanceTimersByTimeAsync(LEAST_RATE.checkMs);
  }
  expect(stuck.map(({ destroyed }) => destroyed)).toEqual(slow.map(() => true));
  expect((await responseTo(send(POST, await bareKey(), called("paid")))).status).toBe(200);
  reader.resume();
  await ended;
  expect(read).toBeGreaterThan(file.length);
});

const ADDRESS = "2001:db8:1:2:3::4";

test("a request counts for its address, until its key or session has been found valid, and again afterwards", () => {
  const own = { kind: "address", name: "2001:db8:1:2::/64" };
  const [authorization, session] = ["Bearer hc_test_one", "a.b.c"];
  const cookie = `theme=dark; next-auth.session-token=${session}`;
  for (const headers of [{}, { authorization }, { cookie }]) expect(ownerOf(headers, ADDRESS)).toEqual(own);
  rememberCaller(authorization, "46630:0x1:api_key");
  rememberCaller(session, "46630:0x2:session");
  expect(ownerOf({ authorization }, ADDRESS)).toEqual({ kind: "account", name: "46630:0x1:api_key" });
  expect(ownerOf({ cookie }, ADDRESS)).toEqual({ kind: "account", name: "46630:0x2:session" });
  expect(ownerOf({ authorization: `${authorization}1`, cookie: "theme=dark" }, ADDRESS)).toEqual(own);
  // A page's session was made by this service, which its cookie shows by itself.
  expect(ownerOf({}, ADDRESS, "0x3")).toEqual({ kind: "account", name: "wallet:0x3" });
  for (const credential of [authorization, session]) forgetCaller(credential);
  for (const headers of [{ authorization }, { cookie }]) expect(ownerOf(headers, ADDRESS)).toEqual(own);
});

test("of the keys that a process has found valid, it forgets those first that it has not seen for longest", () => {
  rememberCaller("first", "a");
  rememberCaller("second", "b");
  rememberCaller("first", "a");
  for (let i = 0; i < 9_999; i++) rememberCaller(`other ${i}`, "c");
  expect(ownerOf({ authorization: "first" }, ADDRESS).kind).toBe("account");
  expect(ownerOf({ authorization: "second" }, ADDRESS).kind).toBe("address");
});
