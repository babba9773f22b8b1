import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createWebServer, WEB_SERVER_LIMITS } from "@/lib/http/web-server";
import { LEAST_RATE } from "./least-rate";

let server: Server | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

type Serve = (request: IncomingMessage, response: ServerResponse) => void;
const never = 3_600_000;
/** All limits are infinite except those that a test shortens. */
const patient = {
  headersMs: never,
  requestMs: never,
  checkMs: 20,
  unreadMs: never,
  keepAliveMs: never,
  connections: 100,
  requestsPerConnection: 100,
};

async function listen(
  change: Partial<typeof patient>,
  serve: Serve = (_, response) => response.end("served"),
): Promise<void> {
  server = createWebServer(
    { ...patient, ...change },
    { headers: { "X-Common": "yes" }, origin: "https://pay.test" },
    serve,
  );
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
}

function open(): Socket {
  const socket = connect(((server as Server).address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  sockets.push(socket);
  return socket;
}

/** Returns everything that a connection receives until the server closes it. */
async function talk(text: string, socket = open()): Promise<string> {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return received;
}

function expectError(text: string, status: number, code: string): void {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const line of [
    "X-Common: yes",
    "Cache-Control: no-store",
    "Content-Type: application/json",
    "Connection: close",
  ]) {
    expect(head).toContain(line);
  }
  const { error } = JSON.parse(body);
  expect(error).toMatchObject({
    code,
    doc_url: `https://pay.test/docs/errors/${code}`,
    message: expect.stringMatching(/\w/),
  });
  expect(head).toContain(`X-Request-Id: ${error.request_id}`);
}

const GET = "GET / HTTP/1.1\r\nHost: a\r\n";

test("the limits are those that are documented, and Node takes them as they are", async () => {
  server = createWebServer(WEB_SERVER_LIMITS, { headers: {}, origin: "https://pay.test" }, () => {});
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([10_000, 30_000, 65_000]);
  expect([server.timeout, server.maxConnections]).toEqual([30_000, 10_000]);
  expect(LEAST_RATE).toMatchObject({ pauseMs: 30_000, bytesPerSecond: 2_048 });
});

test("a client that does not finish its headers gets a 408 and is closed", async () => {
  await listen({ headersMs: 50, requestMs: 100 });
  expectError(await talk("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "), 408, "invalid_request");
});

test("so is one that says nothing at all", async () => {
  await listen({ headersMs: 50, requestMs: 100 });
  expectError(await talk(""), 408, "invalid_request");
});

test("a client that does not finish its body is closed, whether the handler waits for it or not", async () => {
  await listen({ headersMs: 50, requestMs: 100 }, (request) => request.resume());
  expectError(await talk("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"), 408, "invalid_request");
});

test("a client that reads none of its responses is closed", async () => {
  const unread: ServerResponse[] = [];
  await listen({ unreadMs: 1_000 }, (_, response) => {
    unread.push(response);
    response.end(Buffer.alloc(8 << 20));
  });
  const socket = open();
  socket.pause();
  socket.write(`${GET}\r\n`.repeat(10));
  const [connection] = (await once(server as Server, "connection")) as [Socket];
  await once(connection, "close");
  expect(unread.length).toBeGreaterThan(0);
  expect(unread.some((response) => !response.writableFinished)).toBe(true);
});

test("a client that waits for a response is not closed, however long we take", async () => {
  let timeouts = 0;
  await listen({ unreadMs: 500 }, (_, response) => {
    // Responds after the timeout has occurred three times.
    server?.on("timeout", () => {
      timeouts += 1;
      if (timeouts === 3) response.end("late");
    });
  });
  expect(await talk(`${GET}Connection: close\r\n\r\n`)).toMatch(/late$/);
});

test("connections beyond the bound are closed without a response; those within continue", async () => {
  await listen({ connections: 1 });
  const first = open();
  await once(first, "connect");
  const second = open();
  expect(await talk(`${GET}\r\n`, second)).toBe("");
  expect(await talk(`${GET}Connection: close\r\n\r\n`, first)).toMatch(/served$/);
});

test("a connection ends after its share of requests", async () => {
  await listen({ requestsPerConnection: 2 });
  const text = await talk(`${GET}\r\n`.repeat(3));
  expect(text.match(/served/g)).toHaveLength(2);
  expect(text).toMatch(/Connection: close/i);
});

test("responses that wait behind another one are over when the client has gone", async () => {
  let [asked, over] = [0, 0];
  await listen({}, (_, response) => {
    asked += 1;
    response.once("close", () => {
      over += 1;
    });
    // The last responses are ready but can't be sent.
    if (asked > 2) response.end("served");
  });
  const socket = open();
  socket.write(`${GET}\r\n`.repeat(4));
  await expect.poll(() => asked).toBe(4);
  socket.destroy();
  await expect.poll(() => over).toBe(4);
});

test("a client that gets its response before the end of its body is closed, not waited for", async () => {
  await listen({}, (_, response) => response.writeHead(401).end("no"));
  expect(await talk("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n\r\nabc")).toMatch(/Connection: close/i);
});

test("offers of another protocol and expectations are passed over: the request is served", async () => {
  await listen({});
  for (const header of ["Connection: Upgrade, close\r\nUpgrade: h2c", "Connection: close\r\nExpect: the-unexpected"]) {
    expect(await talk(`${GET}${header}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 .*served$/s);
  }
});

test("CONNECT, endless headers and what is not HTTP get a response in the error shape", async () => {
  await listen({});
  expectError(await talk("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"), 405, "method_not_allowed");
  expectError(await talk(`${GET}X-Long: ${"a".repeat(20_000)}\r\n\r\n`), 431, "invalid_request");
  expectError(await talk("\u0016\u0003\u0001\r\n\r\n"), 400, "invalid_request");
  expectError(await talk(`${GET}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`), 400, "invalid_request");
});
