import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DeliveryAttempt } from "./attempt";
import { DeliverySender } from "./sender";

let server: Server;
let sender: DeliverySender;
/** Responds to a whole request. `n` counts the requests of all connections, from 1. */
let respond: (socket: Socket, n: number) => void;
let requests: number;
let closed: Promise<void>;

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const BODY = '{"event":"test"}';

/** A receiver that writes what it likes. It reads requests by their end, which is the same for all. */
function receive(socket: Socket): void {
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    text += chunk;
    if (!text.endsWith(BODY)) return;
    text = "";
    requests += 1;
    respond(socket, requests);
  });
  closed = new Promise((resolve) => socket.once("close", () => resolve()));
}

beforeEach(async () => {
  requests = 0;
  sender = new DeliverySender();
  server = createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await sender.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Makes one attempt. */
async function attempt(body = BODY) {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const request = { origin: `http://127.0.0.1:${address.port}`, path: "/hook", method: "POST" as const, body };
  return await new DeliveryAttempt().post(sender.agent(true), { ...request, headers: [] }, new Date());
}

const CLOSED = { ok: false, code: null, error: "connection: closed before a response" };

describe("an attempt is posted once, and fails", () => {
  test("when the receiver closes after a part of a response", async () => {
    respond = (socket) => socket.end("HTTP/1.1 2");
    expect(await attempt()).toMatchObject(CLOSED);
    expect(requests).toBe(1);
  });

  test.each([
    ["ends", (socket: Socket) => socket.end()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["ends within a response on", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\ncont")],
  ])("when the receiver reads it and %s the connection that an earlier one kept", async (_, close) => {
    respond = (socket, n) => (n === 1 ? socket.write(OK) : close(socket));
    expect(await attempt()).toMatchObject({ ok: true, body: "ok" });
    expect(await attempt()).toMatchObject(CLOSED);
    expect(requests).toBe(2);
  });
});

test("a connection that the receiver has closed is not used again", async () => {
  respond = (socket) => socket.end(OK);
  for (let n = 1; n <= 5; n++) {
    expect(await attempt()).toMatchObject({ ok: true });
    await closed;
  }
  expect(requests).toBe(5);
});

describe("a 100 Continue that no request asked for", () => {
  const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  const LATER = "HTTP/1.1 100\r\ndate: Sat, 28 Nov 2026 23:00:00 GMT\r\n\r\n";

  test.each([
    ["alone", [CONTINUE, OK]],
    ["with the response", [CONTINUE + OK]],
    ["several times, with fields", [CONTINUE + LATER, CONTINUE, OK]],
    ["with other interim responses", [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${CONTINUE}`, OK]],
    ["byte by byte", [...CONTINUE, ...OK]],
  ])("is read past: %s", async (_, pieces) => {
    // One piece after the other has been sent, so that they arrive apart.
    respond = async (socket) => {
      socket.setNoDelay(true);
      for (const piece of pieces) {
        await new Promise((sent) => socket.write(piece, sent));
        await new Promise(setImmediate);
      }
    };
    for (let n = 1; n <= 2; n++) expect(await attempt()).toMatchObject({ ok: true, code: 200, body: "ok" });
    expect(requests).toBe(2);
  });

  test("is read past where others are not: a change of protocol fails the attempt", async () => {
    respond = (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
    expect(await attempt()).toMatchObject(CLOSED);
    expect(requests).toBe(1);
  });

  test("is not the text of a body", async () => {
    const body = CONTINUE + OK;
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
    respond = async (socket) => {
      await new Promise((sent) => socket.write(head, sent));
      await new Promise(setImmediate);
      socket.write(body);
    };
    expect(await attempt()).toMatchObject({ ok: true, body });
  });

  test("is read past, and stays in a body, where the receiver responds before it has the whole request", async () => {
    const body = CONTINUE + OK;
    server.removeAllListeners("connection").once("connection", (socket: Socket) => {
      socket.on("error", () => {});
      socket.once("data", async () => {
        // The rest of the request waits until the response has been sent.
        socket.pause();
        for (const piece of [CONTINUE, `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`, body]) {
          await new Promise((sent) => socket.write(piece, sent));
          await new Promise(setImmediate);
        }
        socket.resume();
      });
    });
    expect(await attempt("x".repeat(8 * 1024 * 1024))).toMatchObject({ ok: true, code: 200, body });
  });

  test("is no response", async () => {
    respond = (socket) => socket.end(CONTINUE);
    expect(await attempt()).toMatchObject(CLOSED);
    respond = (socket) => socket.end(`HTTP/1.1 100 Continue\r\nx: ${"x".repeat(70_000)}`);
    expect(await attempt()).toMatchObject({ ok: false, code: null });
    expect(requests).toBe(2);
  });
});
